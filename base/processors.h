// The processors that this process may run on (sched_getaffinity(2)), and how several that work side by side divide them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tally {

// Their numbers, ascending; empty where the kernel does not tell.
std::vector<int> OwnProcessors();

// The share of the `slot`-th of `slots` (from 0): neighbours, as many for each as there are enough for all, so that no two slots have
// one in common. Empty where there are fewer processors than slots.
std::vector<int> ProcessorsOfSlot(std::span<const int> all, std::size_t slot, std::size_t slots);

// Keeps this process, and all that it starts from now on, to these. False: it may not be.
bool KeepToProcessors(std::span<const int> processors);

}  // namespace tally
