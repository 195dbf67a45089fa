// Is a process's cgroup frozen? By cgroup v1's freezer or v2's cgroup.freeze, its own or one above. Somebody else froze
// it: Tally never does. Sources: kernel documentation, cgroup-v1/freezer-subsystem.rst and cgroup-v2.rst.
#pragma once

#include <sys/types.h>

#include <string_view>

#include "base/fd.h"

namespace tally {

class Freezer {
 public:
  // Of the cgroup that `process` is in now. Where there is none to be read, nothing is ever frozen.
  explicit Freezer(pid_t process);
  [[nodiscard]] bool IsFrozen() const;

 private:
  [[nodiscard]] static bool Says(const Fd& file, std::string_view words);
  Fd state_;   // v1: freezer.state
  Fd events_;  // v2: cgroup.events
};

}  // namespace tally
