// A caller whose connection stays and who says more than one thing: /ws, /stream.
#pragma once

#include <poll.h>

#include <vector>

#include "base/units.h"

namespace tally::serve {

class SocketCall {
 public:
  virtual ~SocketCall() = default;

  // Before waiting: what it waits for.
  virtual void AddTo(std::vector<pollfd>* fds) = 0;
  // After waiting, with the same list. False: it is over, and may go; its runs go with it.
  virtual bool Move(const std::vector<pollfd>& fds, Nanoseconds now) = 0;
  // When to Move although nothing is found, by sys::MonotonicNow().
  [[nodiscard]] virtual Nanoseconds next() const = 0;
  // The server ends: goodbye, when nothing of it runs.
  virtual void End() = 0;

 protected:
  SocketCall() = default;
  SocketCall(const SocketCall&) = default;
  SocketCall& operator=(const SocketCall&) = default;
};

}  // namespace tally::serve
