#include "evaluation/prepared_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/atomic_folder.h"
#include "base/cache_folder.h"
#include "base/error.h"
#include "base/sys.h"
#include "compilers/toolchain.h"
#include "evaluation/phase.h"
#include "sandboxes/sha256.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/private_mounts.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

// Of preparing, which an operator's limits for solutions do not concern.
constexpr Nanoseconds kLimit = std::chrono::minutes(5);
constexpr Bytes kMemory = Bytes::MiB(2048);

// May something be kept in `folder`? What the operator chose must be of use, or it is said why not (MakeFolderOnce).
bool CanKeepIn(const std::string& folder) {
  const char* const chosen = std::getenv("TALLY_CACHE");
  if (chosen != nullptr && *chosen != '\0') return true;
  std::error_code failed;
  fs::create_directories(folder, failed);
  return ::access(folder.c_str(), W_OK) == 0;
}

// Of bytes: a copy of Tally finds what was prepared for another (sizes and times would be read in 2 ms less).
std::string SumOf(const StackSpec& stack, const std::string& support) {
  Sha256 sum;
  const std::string description = sys::ReadFile(stack.file);
  sum.Update(description);
  std::vector<std::string> files;
  for (const auto& folder : fs::directory_iterator(support)) {
    if (!folder.is_directory() || description.find("/tally/" + folder.path().filename().string() + "/") == std::string::npos) continue;
    for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) sum.Update(file.substr(support.size()) + "\n" + sys::ReadFile(file));
  for (const StackTools* tools : {&stack.compile.tools, &stack.tests->tools}) {
    for (const std::string& program : tools->programs) sum.Update(StampOf(LocateTool(program).value_or(program)));
    for (const std::string& file : tools->files) sum.Update(StampOf(file));
  }
  return sum.Finish();
}

void Prepare(const StackSpec& stack, const CommandMaker& commands, EvaluationSettings settings, const std::string& support,
             const std::string& folder) {
  settings.memory_limit = kMemory;
  Phase phase(settings, stack.build_sandbox, {{folder, kPrepared, true, true}}, support, kPrepared, kLimit);
  StepOptions options;
  options.environment = stack.environment;
  for (const CommandWords& command : stack.tests->prepare) {
    for (const std::vector<std::string>& line : commands.Lines(command)) {
      const StepResult step = phase.Run(line, options);
      if (step.run.code == ResultCode::kOk && !step.phase_over) continue;
      throw UserError(fmt::format("stack {} cannot be prepared: {}: {} {}", stack.name, fmt::join(line, " "),
                                  StepFault(step, phase), Cut(step.err, Bytes{2000})));
    }
  }
}

}  // namespace

PreparedFolder::PreparedFolder(const StackSpec& stack, const CommandMaker& commands, const EvaluationSettings& settings,
                               const std::string& support, const StepNotice& notice) {
  if (!stack.tests || stack.tests->prepare.empty()) return;
  const auto make = [&](const std::string& path) {
    if (ProgramsChangeUser(Isolation::kFull)) ProcessExecutor().sandboxes().user().Own(path);
    notice(fmt::format("preparing {}, {}", stack.name, alone_ ? "for this evaluation alone: there is no folder for caches" : "once on this machine"));
    Prepare(stack, commands, settings, support, path);
  };
  const std::optional<std::string> folder = CacheFolder("stacks");
  if (folder) path_ = fmt::format("{}/{}-{}", *folder, stack.name, SumOf(stack, support));
  // A cache that came with an image is read-only, and of use all the same.
  if (folder && (fs::is_directory(path_) || CanKeepIn(*folder))) {
    MakeFolderOnce(path_, make);
    return;
  }
  alone_ = std::make_unique<TemporaryDirectory>();
  path_ = alone_->File("prepared");
  fs::create_directory(path_);
  make(path_);
}

}  // namespace tally
