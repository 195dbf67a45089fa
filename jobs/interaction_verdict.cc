#include "jobs/interaction_verdict.h"

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
  if (failed && (!end.interactor_first || end.interactor_died_of_pipe)) return OfSolution(solution);
  if (end.interactor_died_of_pipe) return {ResultCode::kWa, "the solution ended, or closed its input, while the interactor still spoke", kNoPoints};
  const bool broken_pipe = solution.signal == SIGPIPE;
  if (failed && end.interactor.outcome == Outcome::kAccepted && !broken_pipe) return OfSolution(solution);
  return OfInteractor(end.interactor);
}

}  // namespace tally
