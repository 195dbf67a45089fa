// Ends a wait that nothing else ends: a signal to this thread every so often, at which waitid(2) returns EINTR.
//
// A wait with a timeout of its own (sigtimedwait(2), ppoll(2)) starts a timer and stops it again. In a virtual machine
// both are exits to the host, together a third of what a stop costs; one timer for many waits costs nothing.
#pragma once

#include <ctime>

#include "base/units.h"

namespace tally {

class WaitTick {
 public:
  // The first comes after `every`. Check is_ticking: the kernel has no timer for a user whose programs have as many signals
  // pending as he may (RLIMIT_SIGPENDING, getrlimit(2)).
  explicit WaitTick(Nanoseconds every);
  ~WaitTick();
  WaitTick(const WaitTick&) = delete;
  WaitTick& operator=(const WaitTick&) = delete;

  [[nodiscard]] bool is_ticking() const { return is_ticking_; }

 private:
  timer_t timer_{};
  bool is_ticking_ = false;
};

}  // namespace tally
