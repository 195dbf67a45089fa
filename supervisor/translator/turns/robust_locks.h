// The locks that a task may hold when it ends, which the kernel marks then so that those who wait for one are told (get_robust_list(2)).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace tally {

// The addresses of their words; those of priority inheritance (futex(2), PI futexes) are not among them, for the kernel wakes nobody there.
// A stopped task's, of its own memory: what a program writes there is nothing to rely on. At most as many as the kernel looks at.
std::vector<std::uint64_t> RobustLocksOf(pid_t task);

}  // namespace tally
