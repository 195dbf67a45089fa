// What the scheduler says of one task: how long it was on a processor, and how long it waited for one. A task's own CPU clock only its own
// process may read.
#pragma once

#include <sys/types.h>

#include <optional>

#include "base/fd.h"
#include "base/units.h"

namespace tally {

struct SchedTimes {
  Nanoseconds on_processor{0}, waiting{0};
};

// Of a stopped task to the nanosecond. nullopt: there is no such task, or this kernel does not say.
std::optional<SchedTimes> SchedTimesOf(pid_t task);

// The same of one that is asked for often: its file is kept open.
class SchedTimesFile {
 public:
  std::optional<SchedTimes> Of(pid_t task);

 private:
  Fd file_;
};

}  // namespace tally
