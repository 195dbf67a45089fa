#include "base/processors.h"

#include <sched.h>

namespace tally {

std::vector<int> OwnProcessors() {
  cpu_set_t set;
  std::vector<int> processors;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return processors;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) processors.push_back(i);
  }
  return processors;
}

std::vector<int> ProcessorsOfSlot(std::span<const int> all, std::size_t slot, std::size_t slots) {
  const std::size_t each = all.size() / slots;
  const auto share = all.subspan(slot * each, each);
  return {share.begin(), share.end()};
}

bool KeepToProcessors(std::span<const int> processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : processors) CPU_SET(processor, &set);
  return ::sched_setaffinity(0, sizeof set, &set) == 0;
}

}  // namespace tally
