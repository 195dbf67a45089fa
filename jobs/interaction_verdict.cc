#include "jobs/interaction_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

namespace tally {
namespace {

using Outcome = CheckerVerdict::Outcome;

InteractionVerdict OfSolution(const RunResult& solution) { return {solution.code, solution.sentence, kNoPoints}; }

InteractionVerdict OfInteractor(const CheckerVerdict& verdict) {
  switch (verdict.outcome) {
    case Outcome::kAccepted: return {ResultCode::kOk, verdict.comment.empty() ? "ok" : verdict.comment, verdict.percentage};
    case Outcome::kWrong: return {ResultCode::kWa, verdict.comment.empty() ? "wrong answer" : verdict.comment, kNoPoints};
    case Outcome::kCheckerFailed: break;
  }
  return {ResultCode::kSe, "interactor failed: " + verdict.comment, kNoPoints};
}

}  // namespace

InteractionVerdict JudgeInteraction(const EndOfInteraction& end) {
  const RunResult& solution = end.solution;
  const bool ended_well = solution.code == ResultCode::kOk;
  const bool failed = solution.code == ResultCode::kRe;
  if (!ended_well && !failed) return OfSolution(solution);
  if (end.interactor_out_of_time && end.interactor_first) return {ResultCode::kTle, "time limit exceeded: it still talked when the interactor's own time was over", kNoPoints};
  const bool broken_pipe = solution.signal == SIGPIPE;
  if (failed && (end.interactor_died_of_pipe || (!end.interactor_first && !broken_pipe))) return OfSolution(solution);
  if (end.interactor_died_of_pipe) return {ResultCode::kWa, "the solution ended, or closed its input, while the interactor still spoke", kNoPoints};
  if (failed && end.interactor.outcome == Outcome::kAccepted && !broken_pipe) return OfSolution(solution);
  return OfInteractor(end.interactor);
}

namespace {

bool Failed(const RunResult& end) { return end.code != ResultCode::kOk; }
bool DiedOfPipe(const RunResult& end) { return end.code == ResultCode::kRe && end.signal == SIGPIPE; }

template <typename Value>
void Add(Measured<Value>* all, const Measured<Value>& one, Together together) {
  if (!all->has_value()) return;
  if (!one.has_value()) {
    *all = one;
    return;
  }
  if constexpr (requires(const Value& value) { value.count; }) {
    *all = Value{together == Together::kSum ? all->value().count + one.value().count : std::max(all->value().count, one.value().count)};
  } else {
    *all = together == Together::kSum ? all->value() + one.value() : std::max(all->value(), one.value());
  }
}

}  // namespace

SolutionEnd EndOfAll(const std::vector<RunResult>& ends, Together together, const Limits& limits) {
  std::size_t decides = 0;
  const auto is_before = [&](std::size_t a, std::size_t b) {
    if (Failed(ends[a]) != Failed(ends[b])) return Failed(ends[a]);
    if (!Failed(ends[a])) return ends[a].ended > ends[b].ended;  // all is well when the last has ended
    if (DiedOfPipe(ends[a]) != DiedOfPipe(ends[b])) return DiedOfPipe(ends[b]);
    return ends[a].ended < ends[b].ended;
  };
  for (std::size_t i = 1; i < ends.size(); ++i) {
    if (is_before(i, decides)) decides = i;
  }
  SolutionEnd end{ends[decides], decides};
  RunResult& all = end.all;
  for (const auto means : {&RunResult::engine, &RunResult::counter, &RunResult::memory_metric, &RunResult::syscall_counter, &RunResult::isolation}) all.*means = ends.front().*means;
  all.virtual_cpu = ends.front().virtual_cpu;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (i == decides) continue;
    const RunResult& one = ends[i];
    for (const auto member : {&RunResult::user_time, &RunResult::sys_time, &RunResult::stop_time}) all.*member = together == Together::kSum ? all.*member + one.*member : std::max(all.*member, one.*member);
    all.wall_time = std::max(all.wall_time, one.wall_time);  // they ran at the same time
    if (all.count_varies.empty()) all.count_varies = one.count_varies;
    Add(&all.instructions, one.instructions, together);
    Add(&all.memory, one.memory, together);
    Add(&all.syscalls, one.syscalls, together);
    Add(&all.output, one.output, together);
  }
  const bool is_over = limits.instructions ? all.instructions.has_value() && all.instructions.value() > *limits.instructions : limits.user_time && all.user_time > *limits.user_time;
  if (all.code == ResultCode::kOk && together == Together::kSum && is_over) {
    const Nanoseconds used = limits.instructions ? Nanoseconds(VirtualTime(all.instructions.value())) : all.user_time;
    all.code = ResultCode::kTle;
    all.sentence = fmt::format("time limit exceeded: its {} processes used {} together", ends.size(), FormatDuration(used));
  }
  return end;
}

}  // namespace tally
