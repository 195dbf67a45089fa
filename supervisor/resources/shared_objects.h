// How large the objects of shared anonymous memory are that a program has mapped, for hosts where no cgroup counts their pages.
//
// Theory of operation. mmap(2) with MAP_SHARED | MAP_ANONYMOUS makes an object (mm/shmem.c, shmem_zero_setup), which lives, with all its
// pages, as long as any page of it is mapped anywhere. /proc/PID/maps tells what is mapped, and a number for the object, but not how
// large it is: a program that fills 16 MiB and unmaps all but a page of them holds 16 MiB, and shows 4 KiB. So the program stops at each
// call that makes one (run/shared_mappings.h), and its size is noted down. Which object it has become is seen in the maps at the next such
// stop, or sample: it is the one that was not there before. Several at one time (threads) are taken for the largest of them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/units.h"

namespace tally {

class SharedObjects {
 public:
  struct Sizes {
    Bytes whole;   // of all that are mapped somewhere, each once
    Bytes mapped;  // of those, what is mapped, as often as it is
  };
  // A call is about to make one; the sizes are those before it.
  Sizes Note(Bytes size, std::span<const pid_t> processes);
  Sizes Sample(std::span<const pid_t> processes);

 private:
  struct Call {
    std::uint64_t size;
    std::chrono::steady_clock::time_point when;
  };
  std::uint64_t TakeLargestCall();

  std::vector<Call> calls_;                      // whose objects were not seen yet
  std::map<std::string, std::uint64_t> objects_;  // by their numbers
};

}  // namespace tally
