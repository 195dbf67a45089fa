#include "jobs/profile_series.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/sys.h"
#include "jobs/checking.h"
#include "jobs/exec_options.h"
#include "jobs/series_hotspots.h"
#include "jobs/series_programs.h"
#include "jobs/timeline_run.h"

namespace tally {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kCompileAttempts = 2;
constexpr unsigned kMostRepeats = 7;
constexpr unsigned kMostRepeatsUntimed = 60;  // while the clock gave all of every run to the system
constexpr Nanoseconds kShortRuns = Milliseconds(60);  // user time, all runs of one size together
constexpr Bytes kLargestInput = Bytes::MiB(1024);
constexpr double kInfinite = std::numeric_limits<double>::infinity();

// "SIGSEGV", "exit code 3", "TLE": one word or two for what the sentence tells.
std::string CauseOf(const RunResult& result) {
  if (result.code != ResultCode::kRe) return std::string(Name(result.code));
  if (result.exit_code) return fmt::format("exit code {}", *result.exit_code);
  const char* name = ::sigabbrev_np(result.signal.value_or(0));
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", result.signal.value_or(0));
}

double InMilliseconds(Nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }
double InMebibytes(Bytes bytes) { return static_cast<double>(bytes.count) / (1 << 20); }

// The limits of every program of the series; the time is real time.
ExecOptions Options(ExecKind kind, const CodeMessage& message, Isolation isolation, Nanoseconds wall) {
  ExecOptions options = ReadExecOptions(kind, Environ());
  options.limits.user_time = options.limits.cpu_time = std::nullopt;
  options.limits.instructions = std::nullopt;
  options.limits.wall_time = wall;
  options.limits.memory = message.memory;
  options.limits.stack = kSeriesStack;
  options.limits.processes = kSeriesProcesses;
  options.memory_by = MemoryBy::kResident;  // what time(1) calls maximum resident set size
  options.isolation = isolation;
  if (kind == ExecKind::kExec) {
    options.counter = Counter::kNone;
    options.syscalls = SyscallCounting::kOff;
  }
  return options;
}

RunResult RunOn(const Program& program, const std::string& input, const std::string& output, int stderr_fd = -1) {
  const Fd in = sys::Open(input, O_RDONLY);
  const Fd out = sys::Open(output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  return program.Run(in.get(), out.get(), stderr_fd);
}

// For the log: all that a run's result says.
std::string FiguresOf(const RunResult& r) {
  const std::string memory = r.memory.has_value() ? FormatBytes(r.memory.value()) : r.memory.reason();
  return fmt::format("{}: {}; user time {}, system time {}, real time {}, memory {} ({}), exit code {}, signal {}, engine {}, counter {}, {}",
                     Name(r.code), r.sentence, FormatMilliseconds(r.user_time), FormatMilliseconds(r.sys_time), FormatMilliseconds(r.wall_time), memory,
                     r.memory_metric, r.exit_code ? std::to_string(*r.exit_code) : "none", r.signal ? std::to_string(*r.signal) : "none", r.engine,
                     r.counter, r.isolation);
}

std::uint64_t SizeOf(const std::string& path) {
  const Fd file = sys::Open(path, O_RDONLY);
  return static_cast<std::uint64_t>(sys::Stat(file.get(), path).st_size);
}

class Series {
 public:
  Series(const CodeMessage& message, Isolation isolation, const SeriesEvents& events)
      : message_(message), isolation_(isolation), events_(events), sizes_(InputSizes(message.sizes)) {
    if (!message.generator) {
      for (const std::uint64_t n : sizes_) CheckSize(message.shape, n);
    }
    report_.task_id = message.task_id;
    report_.iteration = message.iteration;
    budget_ = message.timeout * static_cast<std::int64_t>(sizes_.size());
    check_ = ReadCheckOptions(Environ());
    SetProtocol();
  }

  ProfileReport Run() {
    if (Compile()) {
      const auto program = program_->Ready(Options(ExecKind::kExec, message_, isolation_, message_.timeout));
      for (std::size_t i = 0; i < sizes_.size(); ++i) {
        Progress(1 + i, fmt::format("n = {}", FormatCount(sizes_[i])));
        report_.sizes.push_back({.n = sizes_[i]});
        worker_.Test(i, fmt::format("n = {}", sizes_[i]));
        if (MakeInput(i)) RunNatively(i, *program);
      }
      for (std::size_t i = 0; i < sizes_.size(); ++i) {
        Progress(1 + sizes_.size() + i, fmt::format("counting n = {}", FormatCount(sizes_[i])));
        if (ran_[i]) CountInstructions(i);
      }
      CountOtherSeeds();
    }
    JudgeGrowth(message_.expect, &report_);
    if (report_.error) return std::move(report_);
    if (message_.debug) SearchHotspots();
    if (message_.timeline) RecordTimeline();
    return std::move(report_);
  }

 private:
  void SetProtocol() {
    Environ environ;
    environ.Set("checker_protocol", message_.checker_protocol);
    check_.protocol = ReadCheckOptions(environ).protocol;
    check_.isolation = isolation_;
  }

  bool Compile() {
    Progress(0, "compiling");
    ran_.resize(sizes_.size());
    counting_took_.resize(sizes_.size());
    worker_.Test(0, "compiling");
    const BuildOptions build{message_.debug, kCompileAttempts, isolation_};
    worker_.Step(JudgeStep::kCompile, [&] { return &program_.emplace("code", message_.program, build); });
    const CompileResult& result = program_->compilation();
    if (!program_->command().empty()) Log(LogLevel::kInfo, fmt::format("compiled by {}: {}", result.compiler, program_->command()));
    report_.compiler = result.compiler;
    report_.language = result.language;
    if (!result.ok) {
      report_.error = SeriesError{"compile", result.sentence, result.output};
      Log(LogLevel::kWarning, result.sentence);
      return false;
    }
    const auto compiled = [this](std::optional<SeriesProgram>* to, const char* key, const std::optional<ProgramText>& text) {
      if (!text) return;
      to->emplace(key, *text, BuildOptions{.isolation = isolation_});
      (*to)->RequireCompiled();
    };
    compiled(&generator_, "generator", message_.generator);
    compiled(&hint_, "hint", message_.hint);
    compiled(&checker_, "checker", message_.checker);
    if (checker_) check_.checker = checker_->compilation().program;
    return true;
  }

  // false: there is none, and so no run.
  bool MakeInput(std::size_t i) {
    const std::optional<RunResult> failed = Generate(i, message_.seed, InputOf(i));
    if (!failed) return true;
    const std::string sentence = "generator: " + failed->sentence;
    SetAbsent(i, sentence);
    Fail(i, Stage::kInput, CauseOf(*failed), sentence);
    return false;
  }

  // The generator's run where it failed.
  std::optional<RunResult> Generate(std::size_t i, std::uint64_t seed, const std::string& path) {
    if (!generator_) {
      const Fd file = sys::Open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
      sys::WriteAll(file.get(), GenerateInput(message_.shape, sizes_[i], seed), path);
      return std::nullopt;
    }
    ExecOptions options = Options(ExecKind::kExec, message_, isolation_, message_.timeout);
    options.limits.output = kLargestInput;
    RunResult result = RunOn(*generator_->Ready(options, {std::to_string(sizes_[i]), std::to_string(seed)}), "/dev/null", path);
    if (result.code == ResultCode::kOk) return std::nullopt;
    return result;
  }

  void RunNatively(std::size_t i, const Program& program) {
    const std::string output = directory_.File("out"), error = directory_.File("error");
    std::optional<Nanoseconds> least, least_cpu, least_wall;
    Nanoseconds together{0};
    const auto another = [&](unsigned done) {
      if (done < kMostRepeats) return together < kShortRuns || !least;
      return done < kMostRepeatsUntimed && together < kShortRuns && !least;
    };
    for (unsigned repeat = 0; another(repeat); ++repeat) {
      const Fd words = repeat == 0 ? NewFile(error) : Fd();
      const RunResult result =
          worker_.Step(JudgeStep::kRun, [&] { return Timed([&] { return RunOn(program, InputOf(i), output, words.get()); }); });
      Log(LogLevel::kDebug, fmt::format("n = {}, run {}: {}", FormatCount(sizes_[i]), repeat + 1, FiguresOf(result)));
      together += result.user_time + result.sys_time;
      if (repeat == 0) {
        Note(result);
        if (result.code != ResultCode::kOk) return Crash(i, result, LastWords(error));
        ran_[i] = true;
        TakeMemory(i, result.memory);
        report_.sizes[i].bytes = SizeOf(InputOf(i)) + SizeOf(output);
        Check(i, output);
      }
      if (result.code != ResultCode::kOk) break;
      const Nanoseconds cpu = result.user_time + result.sys_time;
      least_cpu = std::min(least_cpu.value_or(cpu), cpu);
      least_wall = std::min(least_wall.value_or(result.wall_time), result.wall_time);
      // The clock's tick may put all of a run on the system's side (docs/results.md); another falls elsewhere.
      if (result.user_time.count() > 0) least = std::min(least.value_or(result.user_time), result.user_time);
    }
    report_.sizes[i].cpu_ms = InMilliseconds(*least_cpu);
    report_.sizes[i].wall_ms = InMilliseconds(*least_wall);
    const Measured<double>& memory = report_.sizes[i].peak_memory_mb;
    Log(LogLevel::kInfo, fmt::format("n = {}: CPU time {}, memory {}", FormatCount(sizes_[i]), FormatMilliseconds(*least_cpu),
                                     memory.has_value() ? fmt::format("{:.2f} MiB", memory.value()) : memory.reason()));
    if (least) {
      report_.sizes[i].runtime_ms = InMilliseconds(*least);
    } else {
      const std::string why = "the kernel's clock gave all CPU time to the system";
      report_.sizes[i].runtime_ms = Measured<double>::Absent(why);
      Fail(i, Stage::kMeasure, "runtime_ms", why);
    }
  }

  void TakeMemory(std::size_t i, const Measured<Bytes>& memory) {
    if (memory.has_value()) {
      report_.sizes[i].peak_memory_mb = InMebibytes(memory.value());
    } else {
      report_.sizes[i].peak_memory_mb = Measured<double>::Absent(memory.reason());
      Fail(i, Stage::kMeasure, "peak_memory_mb", memory.reason());
    }
  }

  void Crash(std::size_t i, const RunResult& result, const std::string& last_words) {
    report_.sizes[i].runtime_ms = report_.sizes[i].cpu_ms = report_.sizes[i].wall_ms = report_.sizes[i].peak_memory_mb = kInfinite;
    report_.sizes[i].instructions = Measured<std::uint64_t>::Absent(result.sentence);
    Fail(i, Stage::kRun, CauseOf(result), result.sentence, last_words);
  }

  void Check(std::size_t i, const std::string& output) {
    if (!hint_ && !checker_) return;
    const std::string answer = directory_.File("answer");
    ExecOptions options = Options(ExecKind::kExec, message_, isolation_, message_.timeout);
    if (hint_) {
      const RunResult result = RunOn(*hint_->Ready(options), InputOf(i), answer);
      if (result.code != ResultCode::kOk) return Fail(i, Stage::kCheck, "SE", "hint: " + result.sentence);
    } else {
      sys::Open(answer, O_WRONLY | O_CREAT, 0644);
    }
    const CheckerVerdict verdict =
        worker_.Step(JudgeStep::kCheck, [&] { return CheckOutput(check_, {InputOf(i), output, answer}); });
    if (verdict.outcome == CheckerVerdict::Outcome::kAccepted) return;
    const bool wrong = verdict.outcome == CheckerVerdict::Outcome::kWrong;
    Fail(i, Stage::kCheck, wrong ? "WA" : "SE", verdict.comment.empty() ? "the answer is wrong" : verdict.comment);
  }

  void CountInstructions(std::size_t i) {
    const Nanoseconds left = budget_ - spent_;
    const std::string unfit =
        fmt::format("counting did not fit in what was left of the series' {}", FormatDuration(budget_));
    if (left < Milliseconds(1)) return Uncounted(i, "TLE", unfit);
    const auto program = program_->Ready(Options(ExecKind::kVcpuExec, message_, isolation_, left));
    const RunResult result = Timed([&] { return RunOn(*program, InputOf(i), directory_.File("out")); });
    report_.counter = result.counter;
    Log(LogLevel::kDebug, fmt::format("n = {}, counted: {}", FormatCount(sizes_[i]), FiguresOf(result)));
    if (result.code == ResultCode::kTle) return Uncounted(i, "TLE", unfit);
    if (result.code != ResultCode::kOk) return Uncounted(i, CauseOf(result), "counted: " + result.sentence);
    if (!result.instructions.has_value()) return Uncounted(i, "instructions", result.instructions.reason());
    report_.sizes[i].instructions = result.instructions.value().count;
    counting_took_[i] = result.wall_time;
    Log(LogLevel::kInfo, fmt::format("n = {}: {} instructions", FormatCount(sizes_[i]), FormatCount(result.instructions.value().count)));
    if (report_.instructions_vary.empty()) report_.instructions_vary = result.count_varies;
  }

  // Seed by seed over all sizes, so that what fits into the time is spread over them. A run that does not fit is no
  // failure: there is only less to fit the growth to.
  void CountOtherSeeds() {
    const std::uint64_t seeds = SeedsOf(message_);
    for (std::uint64_t other = 1; other < seeds; ++other) {
      for (std::size_t i = 0; i < sizes_.size(); ++i) {
        const std::uint64_t seed = message_.seed + other;
        Progress(1 + (1 + other) * sizes_.size() + i, fmt::format("counting n = {}, seed {}", FormatCount(sizes_[i]), seed));
        if (sizes_[i] >= kSmallestFitted && report_.sizes[i].instructions.has_value() && !CountSeed(i, seed)) return;
      }
    }
  }

  // false: there is no time left.
  bool CountSeed(std::size_t i, std::uint64_t seed) {
    const std::string input = directory_.File("in-seed"), output = directory_.File("out");
    if (const auto failed = Generate(i, seed, input)) {
      Fail(i, Stage::kMeasure, CauseOf(*failed), fmt::format("generator with seed {}: {}", seed, failed->sentence));
      return true;
    }
    const Nanoseconds left = budget_ - spent_;
    if (left < Milliseconds(1)) return false;
    const auto program = program_->Ready(Options(ExecKind::kVcpuExec, message_, isolation_, left));
    const RunResult result = Timed([&] { return RunOn(*program, input, output); });
    if (result.code == ResultCode::kTle) return false;
    if (result.code != ResultCode::kOk) {
      Fail(i, Stage::kMeasure, CauseOf(result), fmt::format("counted with seed {}: {}", seed, result.sentence));
    } else if (result.instructions.has_value()) {
      report_.sizes[i].others.push_back({seed, result.instructions.value().count, SizeOf(input) + SizeOf(output)});
    }
    return true;
  }

  // The largest first.
  [[nodiscard]] std::vector<std::size_t> SizesThatRan() const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (ran_[i]) out.push_back(i);
    }
    std::stable_sort(out.begin(), out.end(), [this](std::size_t a, std::size_t b) { return sizes_[a] > sizes_[b]; });
    return out;
  }

  // The largest size once more; who asks for this is ready to wait as long as the series may take.
  void RecordTimeline() {
    const std::vector<std::size_t> ran = SizesThatRan();
    report_.timeline_absent = "no size ran to its end";
    if (ran.empty()) return;
    const std::size_t i = ran.front();
    Progress(SeriesSteps(message_) - 1, fmt::format("timeline of n = {}", FormatCount(sizes_[i])));
    const CompileResult& built = program_->compilation();
    const Fd in = sys::Open(InputOf(i), O_RDONLY);
    const Fd out = sys::Open(directory_.File("out"), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    TimelineRun run = RunForTimeline("code", built.program, built.info, Options(ExecKind::kVcpuExec, message_, isolation_, budget_), in.get(), out.get());
    if (run.run.code == ResultCode::kOk) report_.timeline = std::move(run.json);
    report_.timeline_absent = run.run.code == ResultCode::kOk ? "" : fmt::format("at n = {}: {}", FormatCount(sizes_[i]), run.run.sentence);
  }

  void SearchHotspots() {
    HotspotSearch search{.options = Options(ExecKind::kVcpuExec, message_, isolation_, budget_), .budget = budget_};
    search.source = std::filesystem::path(message_.program.file).filename();
    search.begins = [this](std::uint64_t n) { Progress(SeriesSteps(message_) - 1, fmt::format("hotspots of n = {}", FormatCount(n))); };
    for (const std::size_t i : SizesThatRan()) {
      const Measured<std::uint64_t>& counted = report_.sizes[i].instructions;
      search.sizes.push_back({sizes_[i], InputOf(i), counting_took_[i], counted.has_value() ? counted.value() : 0});
    }
    FindHotspots(*program_, search, &report_);
  }

  void Uncounted(std::size_t i, const std::string& cause, const std::string& why) {
    report_.sizes[i].instructions = Measured<std::uint64_t>::Absent(why);
    Fail(i, Stage::kMeasure, cause, why);
  }

  void SetAbsent(std::size_t i, const std::string& why) {
    report_.sizes[i].runtime_ms = report_.sizes[i].cpu_ms = report_.sizes[i].wall_ms = report_.sizes[i].peak_memory_mb = Measured<double>::Absent(why);
    report_.sizes[i].instructions = Measured<std::uint64_t>::Absent(why);
  }

  void Fail(std::size_t i, Stage stage, const std::string& cause, const std::string& sentence, const std::string& last_words = "") {
    report_.failures.push_back({sizes_[i], stage, cause, sentence, last_words});
    Log(LogLevel::kWarning, fmt::format("n = {}: {}: {}", FormatCount(sizes_[i]), cause, sentence));
  }
  void Log(LogLevel level, const std::string& sentence) const { events_.log(level, sentence); }

  template <typename Action>
  RunResult Timed(Action run) {
    const auto start = Clock::now();
    RunResult result = run();
    spent_ += Clock::now() - start;
    return result;
  }

  void Note(const RunResult& result) {
    report_.memory_metric = result.memory_metric;
    report_.isolation = result.isolation;
  }
  void Progress(std::size_t done, const std::string& what) { events_.progress(done, SeriesSteps(message_), what); }
  [[nodiscard]] std::string InputOf(std::size_t i) const { return directory_.File(fmt::format("in-{}", i)); }

  const CodeMessage& message_;
  Isolation isolation_;
  const SeriesEvents& events_;
  const ObservedWorker worker_{events_.observer, 0};
  std::vector<std::uint64_t> sizes_;
  std::vector<bool> ran_;  // natively, to an OK
  std::vector<std::optional<Nanoseconds>> counting_took_;
  Nanoseconds budget_{0}, spent_{0};
  TemporaryDirectory directory_;
  CheckOptions check_;
  std::optional<SeriesProgram> program_, generator_, hint_, checker_;
  ProfileReport report_;
};

}  // namespace

std::size_t SeriesSteps(const CodeMessage& message) { return 1 + (1 + SeedsOf(message)) * InputSizes(message.sizes).size(); }

ProfileReport RunSeries(const CodeMessage& message, Isolation isolation, const SeriesEvents& events) {
  return Series(message, isolation, events).Run();
}

}  // namespace tally
