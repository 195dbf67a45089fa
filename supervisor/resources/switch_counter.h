// Context switches and the peak resident set, read as each process ends: what other tools take from wait4(2), which tells a tracer of
// its tracee alone and not of whom the program has left to init.
#pragma once

#include <sys/types.h>

#include <optional>

#include "base/units.h"
#include "supervisor/api/run_result.h"

namespace tally {

class SwitchCounter {
 public:
  // A task is about to end, or to be ended.
  void Read(pid_t process);

  // Without what an engine of ours has there.
  [[nodiscard]] Measured<Bytes> resident(Bytes engine) const;
  [[nodiscard]] Measured<ContextSwitches> switches() const;

 private:
  std::optional<Bytes> resident_;
  std::optional<ContextSwitches> switches_;
};

}  // namespace tally
