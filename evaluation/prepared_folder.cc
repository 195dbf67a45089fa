#include "evaluation/prepared_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/description_folders.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"
#include "compilers/toolchain.h"
#include "evaluation/phase.h"
#include "sandboxes/sha256.h"
#include "supervisor/private_mounts.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

// Of preparing, which an operator's limits for solutions do not concern.
constexpr Nanoseconds kLimit = std::chrono::minutes(5);
constexpr Bytes kMemory = Bytes::MiB(2048);

std::string CacheFolder() {
  const char* chosen = std::getenv("TALLY_CACHE");
  if (chosen != nullptr && *chosen == '/') return fmt::format("{}/stacks", chosen);
  if (chosen != nullptr && *chosen != '\0') throw UserError(fmt::format("TALLY_CACHE: found \"{}\"; expected an absolute path", chosen));
  if (::geteuid() == 0) return "/var/cache/tally/stacks";
  if (const auto user = UserFolder("XDG_CACHE_HOME", ".cache")) return *user + "/stacks";
  throw UserError("no folder for what stacks prepare; set TALLY_CACHE or HOME");
}

// As it is installed: an update of its package changes one of these.
std::string Stamp(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return path + " absent\n";
  return fmt::format("{} {} {}.{}\n", path, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

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
    for (const std::string& program : tools->programs) sum.Update(Stamp(fs::canonical(LocateTool(program).value_or("/"))));
    for (const std::string& file : tools->files) sum.Update(Stamp(file));
  }
  return sum.Finish();
}

// A folder that is removed with all it holds unless it is kept.
class NewFolder {
 public:
  explicit NewFolder(std::string pattern) : path_(std::move(pattern)) {
    if (::mkdtemp(path_.data()) == nullptr) throw SystemError("make the folder " + path_, errno);
    ::chmod(path_.c_str(), 0755);
    if (ProgramsChangeUser(Isolation::kFull)) ::lchown(path_.c_str(), kSandboxUid, kSandboxGid);
  }
  ~NewFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  void KeepAs(const std::string& final_path) {
    if (::rename(path_.c_str(), final_path.c_str()) != 0) throw SystemError("rename to " + final_path, errno);
    path_.clear();
  }

 private:
  std::string path_;
};

// Held until it is closed. Two workers that start together prepare a stack once.
Fd Lock(const std::string& path) {
  Fd fd = sys::Open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  while (::flock(fd.get(), LOCK_EX) != 0) {
    if (errno != EINTR) throw SystemError("flock " + path, errno);
  }
  return fd;
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

std::string PreparedFolder(const StackSpec& stack, const CommandMaker& commands, const EvaluationSettings& settings,
                           const std::string& support) {
  if (!stack.tests || stack.tests->prepare.empty()) return "";
  const std::string cache = CacheFolder();
  const std::string folder = fmt::format("{}/{}-{}", cache, stack.name, SumOf(stack, support));
  if (fs::is_directory(folder)) return folder;
  std::error_code error;
  fs::create_directories(cache, error);
  if (error) throw SystemError("make the folder " + cache, error.value());
  const Fd lock = Lock(folder + ".lock");
  if (fs::is_directory(folder)) return folder;
  NewFolder made(folder + ".new-XXXXXX");
  Prepare(stack, commands, settings, support, made.path());
  made.KeepAs(folder);
  return folder;
}

}  // namespace tally
