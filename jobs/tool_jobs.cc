// The jobs of a package's own programs: ingen, which writes inputs, and inwer, which says whether an input is one. SIO's keys and results.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/lines.h"
#include "base/sys.h"
#include "jobs/exec_options.h"
#include "jobs/feedback.h"
#include "jobs/files.h"
#include "jobs/job.h"
#include "jobs/program.h"
#include "jobs/tool.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/private_mounts.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

// SIO Workers' defaults (sio/workers, ingen.py and inwer.py).
constexpr Bytes kMemory = Bytes::MiB(256), kSaid = Bytes::KiB(10);
constexpr Nanoseconds kIngenTime = std::chrono::seconds(600), kInwerTime = std::chrono::seconds(300);
constexpr std::size_t kMostFiles = 10'000;
constexpr rlim_t kMatchSeconds = 5;  // CPU time

struct ToolLimits {
  std::optional<std::uint64_t> time_ms, memory_kib, output_bytes;
};

ExecOptions OptionsFor(const Environ& environ, const ToolLimits& given, Nanoseconds time) {
  ExecOptions options = ToolOptions(ParseIsolation("isolation", environ.TextOr("isolation", "full")));
  options.limits = DefaultLimits(ExecKind::kExec, given.time_ms ? Nanoseconds(Milliseconds(*given.time_ms)) : time);
  options.limits.memory = given.memory_kib ? Bytes::KiB(*given.memory_kib) : kMemory;
  options.limits.output = Bytes{given.output_bytes.value_or(kSaid.count)};
  return options;
}

std::regex Pattern(const std::string& text) {
  try {
    return std::regex(text);
  } catch (const std::regex_error& error) {
    throw UserError(fmt::format("re_string: \"{}\" is no regular expression: {}", text, error.what()));
  }
}

// Writes the names that match, a NUL behind each.
[[noreturn]] void WriteMatching(const std::vector<std::string>& names, const std::regex& pattern, int to) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::signal(signal, SIG_DFL);
  const rlimit limit{kMatchSeconds, kMatchSeconds};
  ::setrlimit(RLIMIT_CPU, &limit);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::string text;
  for (const std::string& name : names) {
    if (std::regex_search(name, pattern, std::regex_constants::match_continuous)) text += name + '\0';
  }
  try {
    sys::WriteAll(to, text, "names of files");
  } catch (const std::exception&) {
    ::_exit(1);
  }
  ::_exit(0);
}

// A pattern and a name may take for ever together, or more stack than we have; so it is another process that tries.
std::vector<std::string> Matching(const std::vector<std::string>& names, const std::regex& pattern) {
  sys::Pipe pipe = sys::MakePipe();
  const pid_t child = ::fork();
  if (child < 0) throw SystemError("fork", errno);
  if (child == 0) WriteMatching(names, pattern, pipe.write_end.get());
  pipe.write_end = Fd();
  const std::string text = sys::ReadAll(pipe.read_end.get(), "names of files", names.size() * (NAME_MAX + 1));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) throw UserError(fmt::format("re_string: to match a name with it takes more than {} s, or more memory than there is", kMatchSeconds));
  std::vector<std::string> matching;
  for (std::size_t at = 0; at < text.size(); at += matching.back().size() + 1) matching.emplace_back(text.c_str() + at);
  return matching;
}

// What it wrote into its folder and matches, in order. A link is none of its files.
std::vector<std::string> Collected(const std::string& folder, const std::regex& pattern) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.symlink_status().type() == fs::file_type::regular) names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  names = Matching(names, pattern);
  if (names.size() > kMostFiles) throw UserError(fmt::format("exe_file: it wrote more than {} files that re_string matches", kMostFiles));
  return names;
}

}  // namespace

void RunIngenJob(Environ* environ) {
  const JobFiles files(*environ);
  const std::string exe = files.Fetch("exe_file", environ->Text("exe_file")), place = environ->Text("collected_files_path");
  const std::regex pattern = Pattern(environ->Text("re_string"));
  const ToolLimits given{BoundedCount(*environ, "ingen_time_limit", "ms", kLargestMilliseconds), BoundedCount(*environ, "ingen_mem_limit", "kB", kLargestKib),
                         BoundedCount(*environ, "ingen_output_limit", "bytes", kLargestBytes)};
  ExecOptions options = OptionsFor(*environ, given, kIngenTime);
  options.limits.file_size = Bytes::MiB(1024);  // inputs are larger than what it says
  const TemporaryDirectory directory;
  LetProgramsPass(directory, options.isolation);
  constexpr const char* kFolder = "/box/folder";
  const std::string folder = directory.File("folder"), said = directory.File("stdout");
  fs::create_directory(folder);
  if (ProgramsChangeUser(options.isolation)) ProcessExecutor().sandboxes().user().Own(folder);
  Program program("exe_file", exe, InfoOfExecutable(exe), options, {{folder, kFolder, true}});
  program.BeginIn(kFolder);
  const Fd out = NewFile(said);
  const RunResult result = program.Run(-1, out.get(), -1);
  WriteRunResult(ExecKind::kExec, result, environ);
  environ->SetList("stdout", LinesOf(ReadFeedback(said).value_or("")));
  environ->Set("return_code", static_cast<std::uint64_t>(result.exit_code.value_or(128 + result.signal.value_or(0))));
  if (result.code != ResultCode::kOk) return;
  std::vector<std::pair<std::string, std::string>> collected;
  for (const std::string& name : Collected(folder, pattern)) {
    collected.emplace_back(name, files.Publish("collected_files_path", place + "/" + name, folder + "/" + name, 0644));
  }
  environ->SetMap("collected_files", collected);
}

void RunInwerJob(Environ* environ) {
  const JobFiles files(*environ);
  const std::string exe = files.Fetch("exe_file", environ->Text("exe_file")), input = files.Fetch("in_file", environ->Text("in_file"));
  const ToolLimits given{BoundedCount(*environ, "inwer_time_limit", "ms", kLargestMilliseconds), BoundedCount(*environ, "inwer_mem_limit", "kB", kLargestKib),
                         BoundedCount(*environ, "inwer_output_limit", "bytes", kLargestBytes)};
  const ExecOptions options = OptionsFor(*environ, given, kInwerTime);
  const TemporaryDirectory directory;
  const std::string said = directory.File("stdout");
  Program program("exe_file", exe, InfoOfExecutable(exe), options);
  if (const auto name = environ->OptionalText("in_file_name")) program.AddArguments({*name});
  const Fd in = sys::Open(input, O_RDONLY), out = NewFile(said);
  WriteRunResult(ExecKind::kExec, program.Run(in.get(), out.get(), -1), environ);
  environ->SetList("stdout", LinesOf(ReadFeedback(said).value_or("")));
}

}  // namespace tally
