// Keeps tasks that take turns on our processor: one of them runs at a time, and stops for us at the end of each turn and at
// many calls.
//
// Theory of operation. From the first turn on who runs next is kept on the processor that we are on (one_processor.h), and for a
// while stays there between its turns. Nobody can be moved then: where others want this processor, too, the task waits for them
// though another may be idle. So they are let go again and again, we say where next, and where the tasks waited for a good part
// of the time they are left to the kernel for longer; bursts of stops come together still (stop_burst.h).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <unordered_map>

#include "base/units.h"
#include "supervisor/resources/sched_times.h"
#include "supervisor/tracing/one_processor.h"

namespace tally {

class TurnProcessor {
 public:
  static constexpr Nanoseconds kTogether = std::chrono::milliseconds(20);
  static constexpr Nanoseconds kApart = std::chrono::seconds(5);
  static constexpr int kGoodPart = 12;  // a twelfth of the time; of what they wait for us it is a fortieth

  // The stopped task is about to run. False: it is left to the kernel.
  bool Keep(pid_t task);
  void LetGo();
  [[nodiscard]] bool keeps() const { return together_.has_value(); }

 private:
  static constexpr std::size_t kMostFiles = 64;
  [[nodiscard]] bool HaveWaited(Nanoseconds now);

  std::optional<OneProcessor> together_;
  std::unordered_map<pid_t, Nanoseconds> waited_before_;  // of each that is kept, since it began
  std::unordered_map<pid_t, SchedTimesFile> files_;       // of those that were kept
  Nanoseconds begin_{0};
  Nanoseconds apart_until_{0};
};

}  // namespace tally
