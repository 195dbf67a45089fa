#include "jobs/tool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/cache_folder.h"
#include "base/error.h"
#include "base/sys.h"
#include "jobs/files.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/private_mounts.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr Milliseconds kTime{30'000};
constexpr Bytes kMemory = Bytes::MiB(1024);
constexpr Bytes kOutput = Bytes::MiB(256);
constexpr std::size_t kKept = 64 << 10;
constexpr Bytes kMostKept = Bytes::MiB(256);  // compiled

std::string Beginning(const std::string& path) {
  const Fd file = sys::Open(path, O_RDONLY);
  std::string text(kKept, '\0');
  const ssize_t n = ::pread(file.get(), text.data(), text.size(), 0);
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

// What a source includes: testlib.h, and what else the setter has put there.
std::vector<MoreFile> HeadersBeside(const std::string& source) {
  constexpr std::string_view kExtensions[] = {".h", ".hh", ".hpp", ".hxx", ".inc", ".tcc"};
  std::vector<MoreFile> out;
  for (const auto& entry : fs::directory_iterator(fs::absolute(source).parent_path())) {
    const std::string name = entry.path().filename();
    const bool is_header = std::find(std::begin(kExtensions), std::end(kExtensions), entry.path().extension().string()) != std::end(kExtensions);
    if (is_header && entry.is_regular_file() && !name.starts_with('.') && !name.starts_with('-')) out.push_back({source, name, entry.path()});
  }
  return out;
}

}  // namespace

Tool::Tool(const std::string& what, const std::string& path, const std::vector<std::string>& more_sources, Isolation isolation)
    : what_(what), program_(path), isolation_(isolation) {
  if (!IsSource(path)) {
    CheckExecutable(what, path);
    info_ = InfoOfExecutable(path);
    return;
  }
  static const FileCache kept(CacheFolder("tools").value_or(""), kMostKept);
  CompileRequest request{.source = path, .source_name = path, .more_files = HeadersBeside(path), .keeps_name = true, .isolation = isolation, .kept = &kept};
  for (const std::string& source : more_sources) request.more_sources.push_back({what, fs::path(source).filename(), source});
  const CompileResult result = Compile(request, directory_);
  if (!result.ok) throw UserError(fmt::format("{} {}: {}", what, path, result.sentence), result.output);
  program_ = result.program;
  info_ = result.info;
}

ExecOptions ToolOptions(Isolation isolation) {
  ExecOptions exec;
  exec.limits = DefaultLimits(ExecKind::kExec, kTime);
  exec.limits.memory = kMemory;
  exec.limits.output = kOutput;
  exec.syscalls = SyscallCounting::kOff;
  exec.counter = Counter::kNone;
  exec.isolation = isolation;
  exec.sandbox = "checker-sandbox";
  return exec;
}

ToolRun Tool::Run(const std::vector<std::string>& arguments, const std::string& input, const std::string& output, const std::vector<PlacedFile>& files) const {
  Program program(what_, program_, info_, ToolOptions(isolation_), files);
  program.AddArguments(arguments);
  return Finish(&program, input, output);
}

ToolRun Tool::RunIn(const std::string& folder) const {
  constexpr const char* kFolder = "/box/folder";
  if (ProgramsChangeUser(isolation_)) ProcessExecutor().sandboxes().user().Own(folder);
  Program program(what_, program_, info_, ToolOptions(isolation_), {{folder, kFolder, true}});
  program.BeginIn(kFolder);
  return Finish(&program, "/dev/null", directory_.File("stdout"));
}

ToolRun Tool::Finish(Program* program, const std::string& input, const std::string& output) const {
  const std::string error = directory_.File("stderr");
  ToolRun run;
  {
    const Fd in = sys::Open(input, O_RDONLY), out = NewFile(output), err = NewFile(error);
    run.result = program->Run(in.get(), out.get(), err.get());
  }
  run.output = Beginning(output);
  run.error = Beginning(error);
  return run;
}

}  // namespace tally
