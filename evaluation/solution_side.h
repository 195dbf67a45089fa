// The solution's processes where tests have one of their own (params.split): each in a sandbox of its own beside the tests', which no call
// of either leads out of (docs/isolation.md). Between them are two pipes; what goes through them is stacks/support/*/talk.py's affair.
//
// Theory of operation. A supervisor watches one program, so a companion of ours (jobs/companion.h) takes the tests' orders, and has a
// companion of its own in which the solution's runs are supervised. `start` starts one, `stop` ends it and empties the pipe of calls, so
// that none of a case reaches the solution of the next. How a run has ended is a notice to the tests, who are told while they wait for an
// answer. The tests' end ends all.
//
// Orders, from the tests: start, stop, a line each.  Notices, to them: one sentence for each end; stopped.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "evaluation/evaluation_settings.h"
#include "evaluation/phase.h"
#include "evaluation/stack_spec.h"
#include "jobs/companion.h"
#include "supervisor/sandbox/sandbox.h"

namespace tally {

// How a solution's process is run.
struct SolutionProgram {
  CommandWords command;  // behind it are put the numbers of two descriptors, calls and answers, and how many bytes its output may have
  std::string sandbox;
  std::vector<PlacedFile> placed;
  std::string support;
  std::vector<std::string> environment;
  Nanoseconds run_time;  // of one run, and some more: who ends a case are the tests
  std::uint32_t processes = 64;
  MemoryBy memory_by = MemoryBy::kAuto;
};

class SolutionSide {
 public:
  // `settings` is borrowed.
  SolutionSide(const EvaluationSettings& settings, SolutionProgram program);

  // The tests' ends of the pipes.
  struct Ends {
    Fd calls, answers, orders, notices;
  };
  [[nodiscard]] Ends Start() const;
  // After the tests have ended and their ends are closed: what the solution's processes said that no test was told, at the end of a run that
  // did not come to its own.
  [[nodiscard]] std::string Wait() const;

 private:
  // In the companion, and in the companion's.
  [[nodiscard]] std::string ServeTests(const std::vector<Fd>& ends) const;
  [[nodiscard]] std::string RunOne(const std::vector<Fd>& ends, std::optional<Phase>* kept) const;

  const EvaluationSettings& settings_;
  SolutionProgram program_;
  Companion companion_;
};

}  // namespace tally
