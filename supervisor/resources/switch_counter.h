// Context switches and the peak resident set, read as each process ends: what other tools take from wait4(2), which tells a tracer of
// its tracee alone and not of whom the program has left to init.
#pragma once

#include <optional>
#include <string_view>

#include "base/units.h"
#include "supervisor/api/run_result.h"

namespace tally {

class SwitchCounter {
 public:
  // A process is about to end, or to be ended. `status`: its file of that name in /proc.
  void Read(std::string_view status);

  // Without what an engine of ours has there.
  [[nodiscard]] Measured<Bytes> resident(Bytes engine) const;
  [[nodiscard]] Measured<ContextSwitches> switches() const;

 private:
  std::optional<Bytes> resident_;
  std::optional<ContextSwitches> switches_;
};

}  // namespace tally
