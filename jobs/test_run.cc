#include "jobs/test_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/sys.h"
#include "jobs/files.h"
#include "jobs/passes.h"
#include "jobs/transcript.h"

namespace tally {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::optional<std::uint64_t> Number(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  return found->get<std::uint64_t>();
}

// Beside a test's results, on their way from the worker: what people read of it, and no key of a job.
constexpr const char *kLastWords = "stderr", *kCpuTime = "cpu_ns", *kIsLate = "is_late";

// Of one process, or of several. The split that time_used and sys_time_used have is the clock's ticks' (docs/results.md).
void NoteTimes(const std::vector<RunResult>& processes, Together together, const RunResult& all, Environ* environ) {
  Nanoseconds cpu{0};
  for (const RunResult& one : processes) {
    const Nanoseconds own = one.user_time + one.sys_time;
    cpu = together == Together::kSum ? cpu + own : std::max(cpu, own);
  }
  environ->Set(kCpuTime, static_cast<std::uint64_t>(cpu.count()));
  const bool is_late = all.limit == LimitKind::kWallTime || all.limit == LimitKind::kIdleTime || all.limit == LimitKind::kDeadlock;
  if (is_late) environ->Set(kIsLate, true);
}

// What a program said last, and no more of it than people read.
void NoteLastWords(const std::string& path, Environ* environ) {
  if (const std::string words = LastWords(path); !words.empty()) environ->Set(kLastWords, words);
}

// Who writes to stdout where a file was asked for is told so.
void TellOfWrongStream(const WorkerFiles& files, Environ* environ) {
  if (!files.named || !files.named->has_output() || environ->Text("result_code") != Name(ResultCode::kWa)) return;
  if (fs::file_size(files.answer()) != 0 || fs::file_size(files.output) == 0) return;
  environ->Set("result_string", fmt::format("{} is empty; the program wrote to stdout", files.named->output_name()));
}

// A test, or a pass of one.
struct Turn {
  const PackageTest& test;
  std::string name;
  const CheckOptions& check;
};

// All processes of the solution, the first of them here. Whatever throws, nobody is left in the middle of a test.
std::vector<RunResult> RunProcesses(const Program& program, const Turn& turn, const WorkerFiles& files, int error, std::optional<Nanoseconds> wall) {
  const std::string transcript = files.transcripts.empty() ? "" : TranscriptPath(files.transcripts, files.solution, turn.name);
  std::vector<Interactor::Ends> ends = files.interactor->Start(turn.test, transcript, turn.check.feedback);
  for (std::size_t i = 0; i < files.peers.size(); ++i) {
    files.peers[i]->Start(turn.test, ends[i + 1], wall);
    ends[i + 1] = {};
  }
  std::vector<RunResult> all;
  std::exception_ptr failure;
  const auto take = [&](auto end_of) {
    try {
      all.push_back(end_of());
    } catch (const std::exception&) {
      if (!failure) failure = std::current_exception();
    }
  };
  take([&] {
    const bool has_streams = ends[0].input.valid();
    return program.Run(has_streams ? ends[0].input.get() : -1, has_streams ? ends[0].output.get() : -1, error, wall);
  });
  ends.clear();
  for (const std::unique_ptr<Peer>& peer : files.peers) take([&] { return peer->Wait([&] { files.interactor->Release(0); }); });
  if (failure) {
    static_cast<void>(files.interactor->Wait());  // for the next test
    std::rethrow_exception(failure);
  }
  return all;
}

// Both sides of an interactive problem, and who is to blame.
void RunInteraction(const Program& program, const ExecKind kind, const Turn& turn, const WorkerFiles& files, std::optional<Nanoseconds> wall,
                    const ObservedWorker& observed, Environ* environ) {
  const Fd error = NewFile(files.error);
  const std::vector<RunResult> processes = observed.Step(JudgeStep::kRun, [&] { return RunProcesses(program, turn, files, error.get(), wall); });
  const SolutionEnd solution = EndOfAll(processes, files.together, program.limits());
  const Interactor::End other = files.interactor->Wait();
  WriteRunResult(kind, solution.all, environ);
  NoteTimes(processes, files.together, solution.all, environ);
  const InteractionVerdict verdict = JudgeInteraction({solution.all, other.verdict, other.died_of_pipe, other.out_of_time, other.ended < solution.all.ended});
  if (kind == ExecKind::kVcpuExec && !other.in_lines && environ->BoolOr("exectime_deterministic", false)) {
    environ->Set("exectime_deterministic", false);
    environ->Set("exectime_varies", "what was said to it came in pieces as they were written");
  }
  if (verdict.code != ResultCode::kOk) NoteLastWords(solution.process == 0 ? files.error : files.peers[solution.process - 1]->error(), environ);
  environ->Set("result_code", Name(verdict.code));
  environ->Set("result_string", verdict.sentence);
  environ->Set("result_percentage", verdict.percentage.value());
  if (verdict.code != ResultCode::kOk || (!turn.check.checker && !turn.test.compare)) return;
  const CheckerVerdict checked = observed.Step(JudgeStep::kCheck, [&] { return CheckFor(turn.test, turn.check, files.interactor->written()); });
  WriteCheckResult(checked, environ);
  // Both have a say in the points.
  environ->Set("result_percentage", verdict.percentage.value() * checked.percentage.value() / 100);
}

}  // namespace

CheckerVerdict CheckFor(const PackageTest& test, const CheckOptions& check, const std::string& output) {
  CheckOptions own = check;
  own.compare = test.compare;
  own.checker_arguments = test.checker_arguments;
  return CheckOutput(own, {test.input, output, test.answer});
}

namespace {

void RunBatch(const Program& program, ExecKind kind, const Turn& turn, const WorkerFiles& files, std::optional<Nanoseconds> wall,
              const ObservedWorker& observed, Environ* environ) {
  if (files.named) files.named->Prepare(turn.test.input);
  const Fd in = sys::Open(files.named && files.named->has_input() ? "/dev/null" : turn.test.input, O_RDONLY);
  const Fd out = NewFile(files.output), error = NewFile(files.error);
  const RunResult result = observed.Step(JudgeStep::kRun, [&] { return program.Run(in.get(), out.get(), error.get(), wall); });
  WriteRunResult(kind, result, environ);
  NoteTimes({result}, files.together, result, environ);
  if (result.code == ResultCode::kOk) {
    WriteCheckResult(observed.Step(JudgeStep::kCheck, [&] { return CheckFor(turn.test, turn.check, files.answer()); }), environ);
    TellOfWrongStream(files, environ);
  } else {
    environ->Set("result_percentage", std::uint64_t{0});
    NoteLastWords(files.error, environ);
  }
}

}  // namespace

std::string RunTest(const Program& program, ExecKind kind, const CheckOptions& check, const PackageTest& test,
                    const WorkerFiles& files, std::optional<Nanoseconds> wall, const ObservedWorker& observed) {
  Environ environ;
  try {
    const auto run = [&](const Turn& turn) { files.interactor ? RunInteraction(program, kind, turn, files, wall, observed, &environ) : RunBatch(program, kind, turn, files, wall, observed, &environ); };
    if (check.passes > 1) {
      Passes passes(test, check.passes, check.isolation, files.interactor ? "interactor" : "checker");
      CheckOptions own = check;
      own.feedback = passes.feedback();
      do {
        environ = Environ();
        run({passes.test(), passes.name(), own});
      } while (passes.Next(&environ));
    } else {
      run({test, test.name, check});
    }
  } catch (const std::exception& error) {
    environ.Set("result_code", Name(ResultCode::kSe));
    environ.Set("result_string", error.what());
  }
  return environ.Dump();
}

std::string TooLate(Nanoseconds all_tests) {
  Environ environ;
  environ.Set("result_code", Name(ResultCode::kTle));
  environ.Set("result_string", fmt::format("not run: the time of all tests, {:.3g} s, was over", std::chrono::duration<double>(all_tests).count()));
  environ.Set("result_percentage", std::uint64_t{0});
  return environ.Dump();
}

void EraseTimes(json* object) {
  for (const char* key : {kCpuTime, kIsLate}) object->erase(key);
}

TestReport ReadTestReport(const std::string& test, const std::string& text) {
  json object = Environ::Parse(text, "a test's result").object();
  TestReport report;
  report.test = test;
  report.code = ParseResultCode(object.value("result_code", "")).value_or(ResultCode::kSe);
  report.sentence = object.value("result_string", "");
  report.percentage = object.value("result_percentage", 0.0);
  report.time_ms = Number(object, "time_used");
  report.memory_kib = Number(object, "mem_used");
  report.instructions = Number(object, "exectime_used");
  report.syscalls = Number(object, "num_syscalls");
  if (const auto cpu = Number(object, kCpuTime)) report.cpu_time = Nanoseconds(static_cast<std::int64_t>(*cpu));
  if (const auto real = Number(object, "real_time_used")) report.real_time = Milliseconds(static_cast<std::int64_t>(*real));
  report.is_late = report.code == ResultCode::kTle && object.value(kIsLate, false);
  report.memory_metric = object.value("mem_metric", "");
  report.isolation = object.value("isolation_used", "");
  report.last_words = object.value(kLastWords, "");
  object.erase(kLastWords);
  EraseTimes(&object);
  report.json = object.dump(-1, ' ', false, json::error_handler_t::replace);
  return report;
}

}  // namespace tally
