#include "jobs/judging.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/error.h"
#include "base/sys.h"
#include "jobs/files.h"
#include "jobs/interactor.h"
#include "jobs/judging_workers.h"
#include "jobs/named_files.h"
#include "supervisor/run/process_executor.h"

namespace tally {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr Milliseconds kDefaultTime{1'000};
constexpr Bytes kDefaultOutput = Bytes::MiB(50);
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
  if (package.interactor) exec.limits.idle_time.reset();  // who waits for the other's answer is not idle
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

std::optional<std::uint64_t> Number(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  return found->get<std::uint64_t>();
}

// Beside a test's results, on its way from the worker.
constexpr const char* kLastWords = "stderr";

TestReport FromEnviron(const std::string& test, Environ environ) {
  json object = environ.object();
  TestReport report;
  report.test = test;
  report.code = ParseResultCode(object.value("result_code", "")).value_or(ResultCode::kSe);
  report.sentence = object.value("result_string", "");
  report.percentage = object.value("result_percentage", 0.0);
  report.time_ms = Number(object, "time_used");
  report.memory_kib = Number(object, "mem_used");
  report.instructions = Number(object, "exectime_used");
  report.syscalls = Number(object, "num_syscalls");
  report.last_words = object.value(kLastWords, "");
  object.erase(kLastWords);
  report.json = object.dump(-1, ' ', false, json::error_handler_t::replace);
  return report;
}

// What a program said last, and no more of it than people read.
std::string LastWords(const std::string& path) {
  constexpr off_t kMost = 2048;
  const Fd file = sys::Open(path, O_RDONLY);
  const off_t size = sys::Stat(file.get(), path).st_size, begin = std::max<off_t>(0, size - kMost);
  std::string text(static_cast<std::size_t>(size - begin), '\0');
  const ssize_t n = ::pread(file.get(), text.data(), text.size(), begin);
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  if (begin > 0) text.erase(0, text.find('\n') + 1);  // whole lines, where there are any
  return text;
}

void NoteLastWords(const std::string& path, Environ* environ) {
  if (const std::string words = LastWords(path); !words.empty()) environ->Set(kLastWords, words);
}

// Where one worker puts what a program reads and writes, anew for each test.
struct WorkerFiles {
  std::string output, error;
  std::optional<NamedFiles> named;
  std::unique_ptr<Interactor> interactor;

  [[nodiscard]] std::string answer() const { return named && named->has_output() ? named->output_path() : output; }
};

Fd NewFile(const std::string& path) {
  ::unlink(path.c_str());
  return sys::Open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0600);
}

CheckerVerdict CheckFor(const PackageTest& test, const CheckOptions& check, const std::string& output) {
  CheckOptions own = check;
  own.compare = test.compare;
  own.checker_arguments = test.checker_arguments;
  return CheckOutput(own, {test.input, output, test.answer});
}

// Who writes to stdout where a file was asked for is told so.
void TellOfWrongStream(const WorkerFiles& files, Environ* environ) {
  if (!files.named || !files.named->has_output() || environ->Text("result_code") != Name(ResultCode::kWa)) return;
  if (fs::file_size(files.answer()) != 0 || fs::file_size(files.output) == 0) return;
  environ->Set("result_string", fmt::format("{} is empty; the program wrote to stdout", files.named->output_name()));
}

// Both sides of an interactive problem, and who is to blame.
void RunInteraction(const Program& program, const ExecKind kind, const CheckOptions& check, const PackageTest& test, const WorkerFiles& files, int error,
                    std::optional<Nanoseconds> wall, const ObservedWorker& observed, Environ* environ) {
  Interactor::Ends ends = files.interactor->Start(test);
  std::optional<RunResult> result;
  try {
    result = observed.Step(JudgeStep::kRun, [&] { return program.Run(ends.input.get(), ends.output.get(), error, wall); });
  } catch (const std::exception&) {
    ends = {};
    static_cast<void>(files.interactor->Wait());  // for the next test
    throw;
  }
  const Nanoseconds ended = sys::MonotonicNow();
  ends = {};
  const Interactor::End other = files.interactor->Wait();
  WriteRunResult(kind, *result, environ);
  const InteractionVerdict verdict = JudgeInteraction({*result, other.verdict, other.died_of_pipe, other.ended < ended});
  environ->Set("result_code", Name(verdict.code));
  environ->Set("result_string", verdict.sentence);
  environ->Set("result_percentage", verdict.percentage.value());
  if (verdict.code != ResultCode::kOk || !check.checker) return;
  WriteCheckResult(observed.Step(JudgeStep::kCheck, [&] { return CheckFor(test, check, files.interactor->written()); }), environ);
}

// One test, from run to check; what fails on our side is the test's SE and not the end of the judging.
std::string RunTest(const Program& program, const ExecKind kind, const CheckOptions& check, const PackageTest& test,
                    const WorkerFiles& files, std::optional<Nanoseconds> wall, const ObservedWorker& observed) {
  Environ environ;
  try {
    if (files.interactor) {
      const Fd error = NewFile(files.error);
      RunInteraction(program, kind, check, test, files, error.get(), wall, observed, &environ);
      if (environ.Text("result_code") != Name(ResultCode::kOk)) NoteLastWords(files.error, &environ);
      return environ.Dump();
    }
    if (files.named) files.named->Prepare(test.input);
    const Fd in = sys::Open(files.named && files.named->has_input() ? "/dev/null" : test.input, O_RDONLY);
    const Fd out = NewFile(files.output), error = NewFile(files.error);
    const RunResult result = observed.Step(JudgeStep::kRun, [&] { return program.Run(in.get(), out.get(), error.get(), wall); });
    WriteRunResult(kind, result, &environ);
    if (result.code == ResultCode::kOk) {
      WriteCheckResult(observed.Step(JudgeStep::kCheck, [&] { return CheckFor(test, check, files.answer()); }), &environ);
      TellOfWrongStream(files, &environ);
    } else {
      environ.Set("result_percentage", std::uint64_t{0});
      NoteLastWords(files.error, &environ);
    }
  } catch (const std::exception& error) {
    environ.Set("result_code", Name(ResultCode::kSe));
    environ.Set("result_string", error.what());
  }
  return environ.Dump();
}

std::string NotRun(Nanoseconds all_tests) {
  Environ environ;
  environ.Set("result_code", Name(ResultCode::kTle));
  environ.Set("result_string", fmt::format("not run: the time of all tests, {:.3g} s, was over", std::chrono::duration<double>(all_tests).count()));
  environ.Set("result_percentage", std::uint64_t{0});
  return environ.Dump();
}

}  // namespace

Judging::Judging(const Package& package, const JudgeOptions& options)
    : package_(package), options_(options), exec_(ExecFor({})), check_(ReadCheckOptions(Environ())), groups_(package.groups) {
  for (TestGroup& group : groups_) group.stops = (group.stops || options.stop_on_fail) && !options.run_all;
  check_.protocol = package.protocol;
  check_.isolation = options.isolation;
  if (package.tests.size() >= kManyTests) ProcessExecutor().PrepareForManyRuns();
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
  if (!fs::is_regular_file(solution) && !fs::is_directory(solution)) throw UserError(fmt::format("{}: no such file", solution));
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
  CompileRequest request{.source = fs::absolute(files.main), .source_name = files.main, .compiler = options_.compiler,
                         .more_sources = files.more_sources, .more_files = files.more_files, .keeps_name = true,
                         .isolation = options_.isolation, .wall = options_.compile_wall};
  request.more_sources.insert(request.more_sources.end(), options_.more_sources.begin(), options_.more_sources.end());
  request.more_files.insert(request.more_files.end(), options_.more_files.begin(), options_.more_files.end());
  const ObservedWorker observed(options_.observer, 0);
  observed.Test(first_test_, fs::path(files.main).filename().string() + ", compiling");
  return observed.Step(JudgeStep::kCompile, [&] { return Compile(request, directory); });
}

ShortCircuit Judging::StartShortCircuit() const {
  const bool ends = !options_.run_all && (package_.ends_at_failure || (options_.stop_on_fail && groups_.empty()));
  return {groups_, package_.tests.size(), ends};
}

void Judging::RunTests(const std::string& solution, const Progress& progress, SolutionReport* report) {
  const Nanoseconds ready = sys::MonotonicNow();
  const std::string solution_name = fs::path(solution).filename();
  const TemporaryDirectory directory;
  const std::size_t count = package_.tests.size();
  std::vector<TestReport>& reports = report->tests;
  reports.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    reports[i].test = package_.tests[i].name;
    reports[i].not_run = "the judging ended before it";
  }
  // Before the workers, who have them then: what cannot be a program is found here. One for each pair of limits. With files of its own each
  // worker has its own.
  const bool has_files = !package_.input_file.empty() || !package_.output_file.empty();
  if (has_files) LetProgramsPass(directory, options_.isolation);
  std::vector<WorkerFiles> files;
  for (unsigned worker = 0; worker < std::max(1u, options_.workers); ++worker) {
    files.push_back({directory.File(fmt::format("out-{}", worker)), directory.File(fmt::format("err-{}", worker)), {}, {}});
    if (has_files) files.back().named.emplace(directory.File(fmt::format("files-{}", worker)), package_.input_file, package_.output_file, options_.isolation);
  }
  for (WorkerFiles& each : files) {
    if (interactor_) each.interactor = std::make_unique<Interactor>(*interactor_, package_.interactor->protocol, options_.isolation, LongestWall());
  }
  using Key = std::tuple<Nanoseconds, Bytes, unsigned>;
  std::map<Key, std::unique_ptr<Program>> programs;
  const auto program_for = [&](const PackageTest& test, unsigned worker) -> const Program& {
    const unsigned own = has_files ? worker : 0;
    std::unique_ptr<Program>& program = programs[Key{test.time.value_or(Nanoseconds(0)), test.memory.value_or(Bytes{}), own}];
    if (program) return *program;
    std::vector<PlacedFile> placed = report->compilation.beside;
    if (has_files) {
      for (const PlacedFile& file : files[own].named->Placed()) placed.push_back(file);
    }
    program = std::make_unique<Program>(solution, report->compilation.program, report->compilation.info, ExecFor(test), placed);
    return *program;
  };
  for (const PackageTest& test : package_.tests) program_for(test, 0);
  const auto run = [&](std::size_t index, unsigned worker) {
    const PackageTest& test = package_.tests[index];
    std::optional<Nanoseconds> left;
    if (options_.all_tests) left = *options_.all_tests - (sys::MonotonicNow() - ready);
    if (left && *left <= Nanoseconds(0)) return NotRun(*options_.all_tests);
    const ObservedWorker observed(options_.observer, worker);
    observed.Test(first_test_ + index, fmt::format("{} {}", solution_name, test.name));
    observed.Waited(ready);
    return RunTest(program_for(test, worker), exec_.kind, check_, test, files[worker], left, observed);
  };
  std::size_t done = 0;
  ShortCircuit failures = StartShortCircuit();
  const auto take = [&](std::size_t index, const std::string& text) {
    Environ environ = Environ::Parse(text, "a test's result");
    reports[index] = FromEnviron(package_.tests[index].name, std::move(environ));
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
  // Workers may have run tests that one alone would not have come to.
  ShortCircuit in_order = StartShortCircuit();
  for (std::size_t i = 0; i < count; ++i) {
    if (const auto because = in_order.Because(i)) {
      reports[i] = {};
      reports[i].test = package_.tests[i].name;
      reports[i].not_run = fmt::format("test {} failed", package_.tests[*because].name);
    } else if (reports[i].code != ResultCode::kOk) {
      in_order.Failed(i);
    }
  }
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
    outcomes.push_back({is_right, share});
  }
  return ScoreOf(groups_, outcomes);
}

}  // namespace tally
