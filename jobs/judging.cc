#include "jobs/judging.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/processors.h"
#include "base/sys.h"
#include "supervisor/run/process_executor.h"

namespace tally {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr Milliseconds kDefaultTime{1'000};
constexpr Bytes kDefaultOutput = Bytes::MiB(50);
// Below this many tests, opening the tracepoint costs more than it saves (syscall_counter.h).
constexpr std::size_t kManyTests = 8;

ExecOptions ExecOptionsFor(const Package& package, const JudgeOptions& options) {
  const ExecKind kind = options.virtual_time || package.virtual_time ? ExecKind::kVcpuExec : ExecKind::kExec;
  ExecOptions exec = ReadExecOptions(kind, Environ());
  const std::optional<Nanoseconds> time = options.time ? options.time : package.time;
  exec.limits = DefaultLimits(kind, time.value_or(kDefaultTime));
  exec.limits.memory = options.memory ? options.memory : package.memory;
  if (!exec.limits.memory) exec.limits.memory = kDefaultJudgingMemory;
  exec.limits.output = package.output.value_or(kDefaultOutput);
  exec.limits.processes = package.processes;
  exec.isolation = options.isolation;
  return exec;
}

std::optional<std::uint64_t> Number(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  return found->get<std::uint64_t>();
}

TestReport FromEnviron(const std::string& test, ResultCode code, const Environ& environ) {
  const json& object = environ.object();
  TestReport report{test, code, object.value("result_string", ""), 0, {}, {}, {}, {}, {}};
  report.percentage = object.value("result_percentage", 0.0);
  report.time_ms = Number(object, "time_used");
  report.memory_kib = Number(object, "mem_used");
  report.instructions = Number(object, "exectime_used");
  report.syscalls = Number(object, "num_syscalls");
  report.json = object.dump(-1, ' ', false, json::error_handler_t::replace);
  return report;
}

ResultCode CodeNamed(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(ResultCode::kSe); ++i) {
    if (Name(static_cast<ResultCode>(i)) == name) return static_cast<ResultCode>(i);
  }
  return ResultCode::kSe;
}

// One test, from run to check; what fails on our side is the test's SE and not the end of the judging.
std::string RunTest(const Program& program, const ExecOptions& exec, const CheckOptions& check, const PackageTest& test,
                    const std::string& output, std::optional<Nanoseconds> wall, const ObservedWorker& observed) {
  Environ environ;
  try {
    ::unlink(output.c_str());
    const Fd in = sys::Open(test.input, O_RDONLY);
    const Fd out = sys::Open(output, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0600);
    const RunResult result = observed.Step(JudgeStep::kRun, [&] { return program.Run(in.get(), out.get(), -1, wall); });
    WriteRunResult(exec.kind, result, &environ);
    if (result.code == ResultCode::kOk) {
      const CheckedFiles files{test.input, output, test.answer};
      CheckOptions own = check;
      own.compare = test.compare;
      own.checker_arguments = test.checker_arguments;
      WriteCheckResult(observed.Step(JudgeStep::kCheck, [&] { return CheckOutput(own, files); }), &environ);
    } else {
      environ.Set("result_percentage", std::uint64_t{0});
    }
  } catch (const std::exception& error) {
    environ.Set("result_code", Name(ResultCode::kSe));
    environ.Set("result_string", error.what());
  }
  return environ.Dump();
}

// What a source includes: testlib.h, and what else the setter has put there.
std::vector<MoreFile> HeadersBeside(const std::string& source) {
  constexpr std::string_view kExtensions[] = {".h", ".hh", ".hpp", ".hxx", ".inc", ".tcc"};
  std::vector<MoreFile> out;
  for (const auto& entry : fs::directory_iterator(fs::absolute(source).parent_path())) {
    const std::string name = entry.path().filename();
    const bool is_header = std::find(std::begin(kExtensions), std::end(kExtensions), entry.path().extension().string()) != std::end(kExtensions);
    if (is_header && entry.is_regular_file() && !name.starts_with('.') && !name.starts_with('-')) out.push_back({"checker", name, entry.path()});
  }
  return out;
}

std::string NotRun(Nanoseconds all_tests) {
  Environ environ;
  environ.Set("result_code", Name(ResultCode::kTle));
  environ.Set("result_string", fmt::format("not run: the time of all tests, {:.3g} s, was over", std::chrono::duration<double>(all_tests).count()));
  environ.Set("result_percentage", std::uint64_t{0});
  return environ.Dump();
}

// Tests are handed out through one pipe and come back through one pipe per worker, so that a slow test holds up
// nobody. Workers are processes: a supervisor is single-threaded (private_mounts.h).
class WorkerPool {
 public:
  WorkerPool(const JudgeOptions& options, const std::function<std::string(std::size_t, unsigned)>& run) : todo_(sys::MakePipe()) {
    const std::vector<int> all = options.pin_workers ? OwnProcessors() : std::vector<int>();
    for (unsigned i = 0; i < options.workers; ++i) Start(i, ProcessorsOfSlot(all, i, options.workers), run);
    todo_.read_end.Reset();
  }
  ~WorkerPool() {
    todo_.write_end.Reset();
    results_.clear();
    for (const pid_t pid : pids_) ::waitpid(pid, nullptr, 0);
  }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Calls `take` for each result as it comes.
  void Run(std::size_t count, const std::function<void(std::size_t, std::string)>& take) {
    std::size_t given = 0, taken = 0;
    while (given < std::min(count, pids_.size())) Give(given++);
    while (taken < count) {
      std::vector<pollfd> fds;
      for (const Fd& fd : results_) fds.push_back({fd.get(), POLLIN, 0});
      if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) throw SystemError("poll", errno);
      for (const pollfd& fd : fds) {
        if (fd.revents == 0) continue;
        std::uint64_t head[2];
        if (!ReadFully(fd.fd, head, sizeof head)) throw SystemError("a judging worker ended early", 0);
        std::string text(head[1], '\0');
        if (!ReadFully(fd.fd, text.data(), text.size())) throw SystemError("a judging worker ended early", 0);
        take(head[0], std::move(text));
        ++taken;
        if (given < count) Give(given++);
      }
    }
  }

 private:
  // `processors`: its own; none: all, like everybody.
  void Start(unsigned index, const std::vector<int>& processors, const std::function<std::string(std::size_t, unsigned)>& run) {
    sys::Pipe results = sys::MakePipe();
    const pid_t pid = ::fork();
    if (pid < 0) throw SystemError("fork a judging worker", errno);
    if (pid == 0) {
      todo_.write_end.Reset();
      if (!processors.empty()) KeepToProcessors(processors);
      std::uint64_t test;
      try {
        while (ReadFully(todo_.read_end.get(), &test, sizeof test)) {
          const std::string text = run(test, index);
          const std::uint64_t head[2] = {test, text.size()};
          sys::WriteAll(results.write_end.get(), {reinterpret_cast<const char*>(head), sizeof head}, "results");
          sys::WriteAll(results.write_end.get(), text, "results");
        }
      } catch (...) {  // interrupted, or nobody is there to read: the parent sees that we ended
      }
      ProcessExecutor().RetireAll();
      ::_exit(0);
    }
    pids_.push_back(pid);
    results_.push_back(std::move(results.read_end));
  }

  void Give(std::uint64_t test) {
    sys::WriteAll(todo_.write_end.get(), {reinterpret_cast<const char*>(&test), sizeof test}, "tests");
  }

  static bool ReadFully(int fd, void* data, std::size_t size) {
    auto* at = static_cast<char*>(data);
    while (size > 0) {
      const ssize_t n = ::read(fd, at, size);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      at += n;
      size -= static_cast<std::size_t>(n);
    }
    return true;
  }

  sys::Pipe todo_;
  std::vector<pid_t> pids_;
  std::vector<Fd> results_;
};

}  // namespace

ResultCode SolutionReport::Worst() const {
  if (!compilation.ok) return ResultCode::kCe;
  for (const TestReport& test : tests) {
    if (test.code != ResultCode::kOk) return test.code;
  }
  return ResultCode::kOk;
}

std::size_t SolutionReport::Accepted() const {
  return static_cast<std::size_t>(std::count_if(tests.begin(), tests.end(),
                                                [](const TestReport& t) { return t.code == ResultCode::kOk; }));
}

Judging::Judging(const Package& package, const JudgeOptions& options)
    : package_(package), options_(options), exec_(ExecOptionsFor(package, options)), check_(ReadCheckOptions(Environ())) {
  check_.protocol = package.protocol;
  check_.isolation = options.isolation;
  if (package.tests.size() >= kManyTests) ProcessExecutor().PrepareForManyRuns();
  if (!package.checker) return;
  check_.checker = package.checker;
  if (IsSource(*package.checker)) {
    CompileRequest request{.source = *package.checker, .source_name = *package.checker, .more_files = HeadersBeside(*package.checker), .isolation = options.isolation};
    for (const std::string& source : package.checker_sources) request.more_sources.push_back({"checker", fs::path(source).filename(), source});
    const CompileResult result = Compile(request, checker_directory_);
    if (!result.ok) {
      throw UserError(fmt::format("checker {}: {}", *package.checker, result.sentence), result.output);
    }
    check_.checker = result.program;
    check_.checker_info = result.info;
  }
}

SolutionReport Judging::Judge(const std::string& solution, const Progress& progress) {
  SolutionReport report;
  report.file = solution;
  if (!fs::is_regular_file(solution)) throw UserError(fmt::format("{}: no such file", solution));
  const TemporaryDirectory directory;
  if (IsSource(solution) || !options_.compiler.empty()) {
    progress(0, "compiling");
    report.compilation = CompileSolution(solution, directory);
  } else {  // an executable is judged as it is
    report.compilation.ok = true;
    report.compilation.language = "executable";
    report.compilation.program = fs::absolute(solution);
  }
  if (report.compilation.ok) {
    const Program program(solution, report.compilation.program, report.compilation.info, exec_);
    report.tests = RunTests(solution, program, progress);
  }
  first_test_ += package_.tests.size();
  return report;
}

CompileResult Judging::CompileSolution(const std::string& solution, const TemporaryDirectory& directory) {
  const CompileRequest request{.source = fs::absolute(solution), .source_name = solution, .compiler = options_.compiler,
                               .more_sources = options_.more_sources, .more_files = options_.more_files,
                               .isolation = options_.isolation, .wall = options_.compile_wall};
  const ObservedWorker observed(options_.observer, 0);
  observed.Test(first_test_, fs::path(solution).filename().string() + ", compiling");
  return observed.Step(JudgeStep::kCompile, [&] { return Compile(request, directory); });
}

std::vector<TestReport> Judging::RunTests(const std::string& solution, const Program& program, const Progress& progress) {
  const Nanoseconds ready = sys::MonotonicNow();
  const std::string solution_name = fs::path(solution).filename();
  const TemporaryDirectory directory;
  std::vector<TestReport> reports(package_.tests.size());
  std::size_t done = 0;
  const auto run = [&](std::size_t index, unsigned worker) {
    const PackageTest& test = package_.tests[index];
    std::optional<Nanoseconds> left;
    if (options_.all_tests) left = *options_.all_tests - (sys::MonotonicNow() - ready);
    if (left && *left <= Nanoseconds(0)) return NotRun(*options_.all_tests);
    const ObservedWorker observed(options_.observer, worker);
    observed.Test(first_test_ + index, fmt::format("{} {}", solution_name, test.name));
    observed.Waited(ready);
    return RunTest(program, exec_, check_, test, directory.File(fmt::format("out-{}", worker)), left, observed);
  };
  const auto take = [&](std::size_t index, const std::string& text) {
    const Environ environ = Environ::Parse(text, "a test's result");
    reports[index] = FromEnviron(package_.tests[index].name, CodeNamed(environ.Text("result_code")), environ);
    progress(++done, package_.tests[index].name);
  };
  if (options_.workers <= 1) {
    for (std::size_t i = 0; i < package_.tests.size(); ++i) take(i, run(i, 0));
  } else {
    WorkerPool(options_, run).Run(package_.tests.size(), take);
  }
  return reports;
}

std::string ReportJson(const Package& package, const std::vector<SolutionReport>& reports) {
  json out{{"tally", TALLY_VERSION}, {"package", package.directory}, {"title", package.title},
           {"limits_from", package.limits_from}, {"warnings", package.warnings}, {"not_read", package.not_read}, {"solutions", json::array()}};
  for (const SolutionReport& report : reports) {
    if (!report.not_judged.empty()) {
      out["solutions"].push_back({{"file", report.file}, {"not_judged", report.not_judged}});
      continue;
    }
    json solution{{"file", report.file},
                  {"verdict", Name(report.Worst())},
                  {"accepted", report.Accepted()},
                  {"compiler", report.compilation.compiler},
                  {"compiler_output", report.compilation.output},
                  {"tests", json::array()}};
    for (const TestReport& test : report.tests) {
      json entry = json::parse(test.json);
      entry["test"] = test.test;
      solution["tests"].push_back(std::move(entry));
    }
    out["solutions"].push_back(std::move(solution));
  }
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace tally
