// A phase of an evaluation (compile, style, test, coverage): its commands, one after the other in one sandbox, within
// one limit of wall time. What a command did is a value; SystemError when the host fails.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evaluation/evaluation_settings.h"
#include "supervisor/api/run_request.h"
#include "supervisor/api/run_result.h"
#include "supervisor/sandbox/sandbox.h"

namespace tally {

struct StepOptions {
  int stdin_fd = -1;  // the report channel, which the program writes to
  std::optional<Nanoseconds> wall;  // in addition to what is left of the phase
  Bytes output = Bytes::MiB(16);    // stdout, and stderr; who says more on one has exceeded the limit
  std::uint32_t processes = 64;
  bool threads_only = false;
  MemoryBy memory_by = MemoryBy::kAuto;
  std::vector<std::string> environment;  // over the sandbox's
  std::vector<int> more_descriptors;     // that it has, too, by their numbers
};

struct StepResult {
  RunResult run;
  std::string out, err;
  bool phase_over = false;  // cut off because the phase's time was over, not the step's own
};

class Phase {
 public:
  // `placed`: what of the work folder the commands see, and where. `support` is the stacks' helpers, shown at /tally.
  Phase(const EvaluationSettings& settings, const std::string& sandbox, std::vector<PlacedFile> placed,
        const std::string& support, std::string work_dir, Nanoseconds limit);

  // From the next command on, this too.
  void ShowAlso(const PlacedFile& more);
  StepResult Run(const std::vector<std::string>& command, const StepOptions& options);
  [[nodiscard]] Nanoseconds Left() const;
  [[nodiscard]] Nanoseconds limit() const { return limit_; }

 private:
  const EvaluationSettings& settings_;
  std::string work_dir_;
  Nanoseconds limit_, begin_;
  std::unique_ptr<Sandbox> sandbox_;
};

// "compiling took longer than 60 s", "the memory limit was exceeded: ...": why a command of a phase failed; "" when it
// did not.
std::string StepFault(const StepResult& step, const Phase& phase);

// At most so much of it, with a line that says so where there was more.
std::string Cut(std::string text, Bytes most);
std::string Cut(std::string text, Characters most);

}  // namespace tally
