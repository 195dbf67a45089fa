// Signals that ask for the end, where we wait for something else than a run: they are blocked for good, as the supervisor has them
// (wake_ups.h), and read from a descriptor.
#pragma once

#include "base/fd.h"

namespace tally {

class Interrupts {
 public:
  Interrupts();
  [[nodiscard]] int fd() const { return fd_.get(); }
  // The one that is pending; 0: none.
  [[nodiscard]] int Take() const;
  void Close() { fd_.Reset(); }

 private:
  Fd fd_;
};

}  // namespace tally
