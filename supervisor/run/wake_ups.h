// What wakes Watch up: a child's stop or end (SIGCHLD) and the hardware counter's overflow (SIGIO) by one signalfd,
// output to be moved on, and the next look at the limits, which is the timeout. An interrupt of ours (^C) throws. It
// also sees to it that we wake up in time.
#pragma once

#include <poll.h>

#include <vector>

#include "base/units.h"
#include "supervisor/run/watch_plan.h"

namespace tally {

class WakeUps {
 public:
  explicit WakeUps(const WatchPlan& plan);

  void Wait(Nanoseconds longest);

 private:
  int signals_;
  const WatchPlan& plan_;
  std::vector<pollfd> fds_;
};

}  // namespace tally
