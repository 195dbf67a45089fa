#include "jobs/judging.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>

#include "base/error.h"
#include "base/sys.h"
#include "jobs/files.h"
#include "jobs/grader.h"
#include "jobs/judging_workers.h"
#include "jobs/solution_programs.h"
#include "jobs/submitted_outputs.h"
#include "jobs/test_run.h"
#include "supervisor/run/process_executor.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr Milliseconds kDefaultTime{1'000};
constexpr Bytes kDefaultOutput = Bytes::MiB(50);
constexpr Bytes kLargestNextInput = Bytes::MiB(256);
constexpr Bytes kMostOfChecker = Bytes::MiB(16);  // some repeat what they read; the first 64 KiB are looked at
// Below this many tests, opening the tracepoint costs more than it saves (syscall_counter.h).
constexpr std::size_t kManyTests = 8;

ExecOptions ExecOptionsFor(const Package& package, const JudgeOptions& options, Nanoseconds time, Bytes memory) {
  const ExecKind kind = options.virtual_time || package.virtual_time ? ExecKind::kVcpuExec : ExecKind::kExec;
  ExecOptions exec = ReadExecOptions(kind, Environ());
  exec.limits = DefaultLimits(kind, time);
  exec.limits.memory = memory;
  exec.limits.output = package.output.value_or(kDefaultOutput);
  exec.limits.processes = package.processes;
  exec.isolation = options.isolation;
  if (!package.memory_by.empty()) exec.memory_by = ParseMemoryBy("memory_by", package.memory_by);
  if (!package.syscall_count.empty()) exec.syscalls = ParseSyscallCounting("syscall_count", package.syscall_count);
  // Who waits for the other's answer is not idle, but for longer than a run may take it waits in vain.
  if (package.interactor) exec.limits.idle_time = DefaultLimits(ExecKind::kExec, time).wall_time;
  return exec;
}

// The first that is said.
template <typename Value>
Value FirstOf(std::initializer_list<std::optional<Value>> said, Value otherwise) {
  for (const std::optional<Value>& value : said) {
    if (value) return *value;
  }
  return otherwise;
}

// Sources are copied and read whole before a compiler has a limit.
void RefuseLargeSources(const SolutionFiles& files) {
  constexpr std::uintmax_t kMost = 16 << 20;
  std::uintmax_t all = 0;
  const auto add = [&](const std::string& path) {
    std::error_code ignored;
    const std::uintmax_t size = fs::file_size(path, ignored);
    if (ignored) return;  // who reads it says so
    all = std::min(kMost + 1, all + std::min(kMost + 1, size));
    if (all > kMost) throw UserError(fmt::format("{}: sources of more than 16 MiB", path));
  };
  add(files.main);
  for (const auto* more : {&files.more_sources, &files.more_files}) {
    for (const MoreFile& file : *more) add(file.path);
  }
}

// Made, and tried: before the first test, and not after the last.
void PrepareFolder(const char* option, const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error && ::access(path.c_str(), W_OK | X_OK) != 0) error = std::error_code(errno, std::generic_category());
  if (error) throw UserError(fmt::format("{}: {}: {}", option, path, error.message()));
}

}  // namespace

Judging::Judging(const Package& package, const JudgeOptions& options)
    : package_(package), options_(options), exec_(ExecFor({})), check_(ReadCheckOptions(Environ())), groups_(package.groups) {
  for (TestGroup& group : groups_) {
    group.stops = (group.stops || options.stop_on_fail) && !options.run_all;
    group.ends_all = group.ends_all && !options.run_all;
  }
  check_.protocol = package.protocol;
  check_.argument_words = package.checker_words;
  check_.isolation = options.isolation;
  check_.passes = package.passes;
  check_.limits.output = kMostOfChecker;
  if (package.passes > 1) check_.limits.file_size = kLargestNextInput;
  if (package.tests.size() >= kManyTests) ProcessExecutor().PrepareForManyRuns();
  if (!options.transcripts.empty() && (!package.interactor || package.interactor->solution_opens_fifos())) {
    throw UserError(package.interactor ? "--transcript: the programs of this problem talk through fifos of their own, to which nobody listens" : "--transcript: this problem is not interactive");
  }
  if (!options.transcripts.empty()) PrepareFolder("--transcript", options.transcripts);
  if (package.interactor) interactor_.emplace("interactor", package.interactor->path, package.interactor->more_sources, options.isolation);
  if (!package.checker) return;
  checker_.emplace("checker", *package.checker, package.checker_sources, options.isolation);
  check_.checker = checker_->program();
  check_.checker_info = checker_->info();
}

CheckerVerdict Judging::Check(const PackageTest& test, const std::string& output) const { return CheckFor(test, check_, output); }

SolutionReport Judging::Judge(const std::string& solution, const Progress& progress) {
  SolutionReport report;
  JudgeInto(solution, progress, &report);
  return report;
}

void Judging::JudgeInto(const std::string& solution, const Progress& progress, SolutionReport* report) {
  report->file = solution;
  std::error_code ignored;
  if (!fs::is_regular_file(solution, ignored) && !fs::is_directory(solution, ignored)) {
    throw UserError(fmt::format("{}: {}", solution, fs::exists(solution, ignored) ? "neither a regular file nor a folder" : "no such file"));
  }
  if (package_.output_only) {
    CheckOutputs(solution, progress, report);
    first_test_ += package_.tests.size();
    return;
  }
  const SolutionFiles files = FilesOfSolution(solution);
  extension_ = fs::path(files.main).extension();
  const TemporaryDirectory directory;
  if (fs::is_directory(solution) || IsSource(solution) || !options_.compiler.empty()) {
    progress(0, "compiling");
    report->compilation = CompileSolution(files, directory);
  } else {  // an executable is judged as it is
    report->compilation.ok = true;
    report->compilation.language = "executable";
    report->compilation.program = fs::absolute(solution);
    report->compilation.info = InfoOfExecutable(solution);
  }
  if (report->compilation.ok) RunTests(solution, progress, report);
  first_test_ += package_.tests.size();
}

Nanoseconds Judging::LongestWall() const {
  Nanoseconds longest{0};
  for (const PackageTest& test : package_.tests) longest = std::max(longest, ExecFor(test).limits.wall_time.value_or(Nanoseconds(0)));
  return longest;
}

// What the options say goes over what the package says of the language, that over the test's own limits, those over the package's.
ExecOptions Judging::ExecFor(const PackageTest& test) const {
  LanguageLimits language;
  for (const LanguageLimits& one : package_.language_limits) {
    if (extension_ == "." + one.extension) language = one;
  }
  const Nanoseconds time = FirstOf<Nanoseconds>({options_.time, language.time, test.time, package_.time}, kDefaultTime);
  const Bytes memory = FirstOf<Bytes>({options_.memory, language.memory, test.memory, package_.memory}, kDefaultJudgingMemory);
  return ExecOptionsFor(package_, options_, time, memory);
}

CompileResult Judging::CompileSolution(const SolutionFiles& files, const TemporaryDirectory& directory) {
  RefuseLargeSources(files);
  CompileRequest request{.source = fs::absolute(files.main), .source_name = files.main, .compiler = options_.compiler,
                         .more_sources = files.more_sources, .more_files = files.more_files, .keeps_name = true,
                         .isolation = options_.isolation, .wall = options_.compile_wall};
  request.more_sources.insert(request.more_sources.end(), options_.more_sources.begin(), options_.more_sources.end());
  request.more_files.insert(request.more_files.end(), options_.more_files.begin(), options_.more_files.end());
  AddGrader(package_, &request);
  const ObservedWorker observed(options_.observer, 0);
  observed.Test(first_test_, fs::path(files.main).filename().string() + ", compiling");
  return observed.Step(JudgeStep::kCompile, [&] { return Compile(request, directory); });
}

ShortCircuit Judging::StartShortCircuit() const {
  const bool ends = !options_.run_all && (package_.ends_at_failure || (options_.stop_on_fail && groups_.empty()));
  return {groups_, package_.tests.size(), ends};
}

std::vector<WorkerFiles> Judging::FilesForWorkers(const std::string& solution, const TemporaryDirectory& directory) const {
  const bool has_files = !package_.input_file.empty() || !package_.output_file.empty();
  if (has_files) LetProgramsPass(directory, options_.isolation);
  std::vector<WorkerFiles> files;
  for (unsigned worker = 0; worker < std::max(1u, options_.workers); ++worker) {
    files.push_back({directory.File(fmt::format("out-{}", worker)), directory.File(fmt::format("err-{}", worker)), {}, {}});
    if (has_files) files.back().named.emplace(directory.File(fmt::format("files-{}", worker)), package_.input_file, package_.output_file, options_.isolation);
  }
  for (WorkerFiles& each : files) {
    if (!interactor_) continue;
    each.interactor = std::make_unique<Interactor>(*interactor_, *package_.interactor, options_.isolation, LongestWall());
    each.solution = solution;
    each.transcripts = options_.transcripts;
    if (exec_.kind == ExecKind::kVcpuExec) each.interactor->TalkInLines();
    if (!options_.transcripts.empty()) each.interactor->KeepTranscripts();
    each.together = package_.interactor->protocol == CheckerProtocol::kCms ? Together::kSum : Together::kMost;
  }
  return files;
}

void Judging::AddPeers(std::vector<WorkerFiles>* files, SolutionPrograms* programs, const TemporaryDirectory& directory) const {
  const auto named = [this](const std::string& name) -> const PackageTest& { return *std::find_if(package_.tests.begin(), package_.tests.end(), [&](const PackageTest& test) { return test.name == name; }); };
  for (unsigned worker = 0; interactor_ && worker < files->size(); ++worker) {
    WorkerFiles& each = (*files)[worker];
    for (unsigned process = 1; process < package_.interactor->processes; ++process) {
      const auto program_for = [=](const std::string& test) -> const Program& { return programs->For(named(test), worker, process); };
      each.peers.push_back(std::make_unique<Peer>(process, *each.interactor, program_for, directory.File(fmt::format("err-{}-{}", worker, process))));
    }
  }
}

// Workers may have run tests that one alone would not have come to.
void Judging::LeaveOut(std::vector<TestReport>* tests) const {
  ShortCircuit in_order = StartShortCircuit();
  for (std::size_t i = 0; i < tests->size(); ++i) {
    TestReport& test = (*tests)[i];
    if (const auto because = in_order.Because(i)) {
      test = {};
      test.test = package_.tests[i].name;
      test.not_run = fmt::format("test {} failed", package_.tests[*because].name);
    } else if (test.code != ResultCode::kOk) {
      in_order.Failed(i);
    }
  }
}

std::vector<TestReport> Judging::NoneRunYet() const {
  std::vector<TestReport> reports(package_.tests.size());
  for (std::size_t i = 0; i < reports.size(); ++i) {
    reports[i].test = package_.tests[i].name;
    reports[i].not_run = "the judging ended before it";
  }
  return reports;
}

void Judging::CheckOutputs(const std::string& folder, const Progress& progress, SolutionReport* report) {
  CheckReadable(folder, package_);
  report->compilation.ok = true;
  report->compilation.language = "outputs";
  report->tests = NoneRunYet();
  ShortCircuit failures = StartShortCircuit();
  for (std::size_t i = 0; i < report->tests.size(); ++i) {
    const PackageTest& test = package_.tests[i];
    if (!failures.Because(i)) {
      report->tests[i] = ReadTestReport(test.name, CheckSubmitted(test, check_, folder, *exec_.limits.output));
      if (report->tests[i].code != ResultCode::kOk) failures.Failed(i);
    }
    progress(i + 1, test.name);
  }
  LeaveOut(&report->tests);
  if (!groups_.empty()) report->score = ScoreOfTests(report->tests);
}

void Judging::RunTests(const std::string& solution, const Progress& progress, SolutionReport* report) {
  const Nanoseconds ready = sys::MonotonicNow();
  const std::string solution_name = fs::path(solution).filename();
  const TemporaryDirectory directory;
  const std::size_t count = package_.tests.size();
  std::vector<TestReport>& reports = report->tests;
  reports = NoneRunYet();
  // Before the workers, who have them then: what cannot be a program is found here. One for each pair of limits. With files of its own each
  // worker has its own.
  const bool has_files = !package_.input_file.empty() || !package_.output_file.empty();
  if (const std::string& name = report->compilation.info.preferred_filename; !name.empty() && (name == package_.input_file || name == package_.output_file)) {
    throw UserError(fmt::format("{}: a program of its language is called {} itself, which is a file of the task", solution, name));
  }
  std::vector<WorkerFiles> files = FilesForWorkers(solution, directory);
  const auto own_of = [&](unsigned worker, unsigned process) {
    SolutionPrograms::Own own;
    if (has_files) own.files = files[worker].named->Placed();
    if (const auto& interactor = files[worker].interactor) {
      own.files = interactor->FilesFor(process);
      own.arguments = interactor->ArgumentsFor(process);
      own.input_in_lines = interactor->talks_in_lines();
    }
    return own;
  };
  SolutionPrograms programs(solution, report->compilation, [this](const PackageTest& test) { return ExecFor(test); }, own_of);
  for (const PackageTest& test : package_.tests) programs.For(test, 0, 0);
  AddPeers(&files, &programs, directory);
  const auto run = [&](std::size_t index, unsigned worker) {
    const PackageTest& test = package_.tests[index];
    std::optional<Nanoseconds> left;
    if (options_.all_tests) left = *options_.all_tests - (sys::MonotonicNow() - ready);
    if (left && *left <= Nanoseconds(0)) return TooLate(*options_.all_tests);
    const ObservedWorker observed(options_.observer, worker);
    observed.Test(first_test_ + index, fmt::format("{} {}", solution_name, test.name));
    observed.Waited(ready);
    return RunTest(programs.For(test, worker, 0), exec_.kind, check_, test, files[worker], left, observed);
  };
  std::size_t done = 0;
  ShortCircuit failures = StartShortCircuit();
  const auto take = [&](std::size_t index, const std::string& text) {
    reports[index] = ReadTestReport(package_.tests[index].name, text);
    reports[index].virtual_time = exec_.kind == ExecKind::kVcpuExec;
    if (reports[index].code != ResultCode::kOk) failures.Failed(index);
    progress(++done, package_.tests[index].name);
  };
  std::size_t following = 0;
  const auto next = [&]() -> std::optional<std::size_t> {
    for (; following < count; ++following) {
      if (!failures.Because(following)) return following++;
      progress(++done, package_.tests[following].name);
    }
    return std::nullopt;
  };
  if (options_.workers <= 1) {
    while (const std::optional<std::size_t> index = next()) take(*index, run(*index, 0));
  } else {
    JudgingWorkers(options_.workers, options_.pin_workers, run).Run(next, take);
  }
  LeaveOut(&reports);
  if (!groups_.empty()) report->score = ScoreOfTests(reports);
}

Score Judging::ScoreOfTests(const std::vector<TestReport>& tests) const {
  std::vector<TestOutcome> outcomes;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const TestReport& test = tests[i];
    const bool is_right = test.not_run.empty() && test.code == ResultCode::kOk;
    double share = is_right ? test.percentage / 100 : 0;
    if (is_right && package_.time_lowers_points && test.time_ms) {
      const Limits limits = ExecFor(package_.tests[i]).limits;
      const Nanoseconds limit = exec_.kind == ExecKind::kVcpuExec ? Nanoseconds(VirtualTime(*limits.instructions)) : *limits.user_time;
      share = ShareAfterTime(share, Milliseconds(static_cast<std::int64_t>(*test.time_ms)), limit);
    }
    outcomes.push_back({is_right && share > 0, share});  // accepted with nothing is no answer that another group may build on
  }
  return ScoreOf(groups_, outcomes);
}

}  // namespace tally
