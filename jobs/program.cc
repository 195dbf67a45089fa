#include "jobs/program.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "base/environment.h"
#include "base/error.h"
#include "compilers/command_line.h"
#include "compilers/compiler_store.h"
#include "compilers/toolchain.h"
#include "sandboxes/kept_sandboxes.h"
#include "supervisor/machine/virtual_files.h"
#include "supervisor/run/make_engine.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/translator/persist/translation_folder.h"

namespace tally {
namespace {

constexpr const char* kFolder = "/box/";
// One name for every program, so that argv and its path never change a count.
constexpr const char* kExecutableName = "program";

RunRequest RequestFrom(const ExecOptions& options) {
  RunRequest request;
  request.limits = options.limits;
  request.counter = ChosenCounter(options.counter, options.limits);
  request.memory_by = options.memory_by;
  request.syscalls = options.syscalls;
  request.virtual_cpu = options.virtual_cpu;
  request.translation_folder = TranslationFolder();
  request.address_randomization =
      options.kind != ExecKind::kVcpuExec || !options.virtual_cpu.rules.Has(VirtualRule::kAddresses);
  return request;
}

const CompilerSpec& FindLanguage(const CompilerStore& compilers, const std::string& mode) {
  if (mode == "output-only") throw UserError("exec_info.mode: output-only is an answer and no program, and this job runs one");
  try {
    return compilers.Find(mode);
  } catch (const UserError& mistake) {
    throw UserError(
        fmt::format("exec_info.mode: neither executable nor output-only, and {}", mistake.what()));
  }
}

bool IsPlainName(const std::string& name) {
  return name != "." && name != ".." && name.find('/') == std::string::npos;
}

}  // namespace

ExecInfo ExecInfo::Read(const Environ& environ) {
  ExecInfo info;
  for (const auto& [key, value] : environ.TextMap("exec_info")) {
    if (key == "mode") info.mode = value;
    if (key == "main_class") info.main_class = value;
    if (key == "preferred_filename") info.preferred_filename = value;
  }
  if (!IsPlainName(info.preferred_filename)) {
    throw UserError("exec_info.preferred_filename: expected a plain file name");
  }
  return info;
}

// Where nothing is shown or hidden: no description has a say.
RootSpec BareRoot() {
  RootSpec root;
  root.name = "none";
  root.env = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8"};
  return root;
}

Program::Program(const std::string& key, const std::string& path, const ExecInfo& info,
                 const ExecOptions& options, const std::vector<PlacedFile>& extra_files)
    : key_(key), path_(path), request_(RequestFrom(options)) {
  std::vector<PlacedFile> files = extra_files;
  std::string sandbox = options.sandbox;
  std::vector<std::string> environment;
  std::string inside = std::string(kFolder) + kExecutableName;
  if (info.mode == "executable") {
    CheckExecutable(key, path);
    request_.argv = {"./" + std::string(kExecutableName)};
  } else {
    const CompilerStore compilers;
    const CompilerSpec& language = FindLanguage(compilers, info.mode);
    const Toolchain toolchain = RequireToolchain(language);
    inside = kFolder + (info.preferred_filename.empty() ? language.output_name : info.preferred_filename);
    request_.argv = RunCommand(language, toolchain, inside, options.limits.memory, info.main_class);
    request_.limits.processes = std::max(request_.limits.processes, language.run.processes);
    if (request_.memory_by == MemoryBy::kAuto) request_.memory_by = language.run.memory_by;
    if (!language.run.sandbox.empty()) sandbox = language.run.sandbox;
    environment = language.run.env;
    memory_exit_ = language.run.memory_exit;
  }
  files.push_back({path, inside, false, true});
  RootSpec root = options.isolation == Isolation::kNone && options.sandbox.empty() ? BareRoot() : ReadySandbox(sandbox);
  ShowVirtualFiles(options.counter, options.virtual_cpu, &root);
  sandbox_ = std::make_unique<Sandbox>(ProcessExecutor().sandboxes(), root, files, options.isolation);
  for (std::string& word : request_.argv) {
    if (word == inside) word = sandbox_->PathInside(inside);
  }
  request_.program = info.mode == "executable" ? sandbox_->PathInside(inside) : request_.argv.front();
  request_.env = MergedEnvironment(root.env, environment);
  if (options.isolation == Isolation::kFull) return;
  // Where it finds files by their names.
  const auto written = std::find_if(extra_files.begin(), extra_files.end(), [](const PlacedFile& file) { return file.writable && std::filesystem::is_regular_file(file.host_path); });
  request_.work_dir = std::filesystem::path(written == extra_files.end() ? path : written->host_path).parent_path();
}

void Program::AddArguments(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) request_.argv.push_back(sandbox_->PathInside(argument));
}

RunResult Program::Run(int stdin_fd, int stdout_fd, int stderr_fd, std::optional<Nanoseconds> wall) const {
  RunRequest request = request_;
  std::optional<Nanoseconds>& limit = request.limits.wall_time;
  if (wall) limit = limit ? std::min(*limit, *wall) : *wall;
  request.stdin_fd = stdin_fd;
  request.stdout_fd = stdout_fd;
  request.stderr_fd = stderr_fd;
  try {
    RunResult result = ProcessExecutor().Run(request, *sandbox_);
    CallItMemory(&result);
    return result;
  } catch (const CannotExecute& refusal) {
    Refuse(refusal);
  }
}

// A program may end with that status too, but not with so much memory.
void Program::CallItMemory(RunResult* result) const {
  const std::optional<Bytes>& limit = request_.limits.memory;
  if (!memory_exit_ || result->code != ResultCode::kRe || result->exit_code != memory_exit_ || !limit) return;
  if (!result->memory.has_value() || result->memory.value().count < limit->count / 4 * 3) return;
  result->code = ResultCode::kMle;
  result->sentence = fmt::format("memory limit exceeded: the runtime has no more within {}", FormatBytes(*limit));
}

void Program::Refuse(const CannotExecute& refusal) const {
  if (request_.program == request_.argv.front()) {  // a language's own program, not the user's file
    throw UserError(
        fmt::format("{}: {} cannot be executed: {}: {}", key_, path_, request_.program, refusal.why()));
  }
  ExplainRefusal(key_, path_, refusal);
}

}  // namespace tally
