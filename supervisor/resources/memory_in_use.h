// What a program's processes hold in memory at this moment, for hosts where no cgroup counts it.
//
// No single figure of the kernel says that. The sum of resident sets counts twice what a child shares with its parent, and
// leaves out page tables, files in the program's own tmpfs, and shared memory that is resident nowhere: pages stay with
// their object when a process lets go of them (madvise(2), MADV_DONTNEED). So it is
//
//     private pages + page tables + tmpfs + shared anonymous memory, as large as it was made (shared_objects.h)
//
// The last is an upper bound: only a cgroup tells which of its pages exist.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>

#include "base/units.h"

namespace tally {

// Files in its run's own tmpfs, which a process sees at `tmpfs`: /tmp and what else its sandbox gives it to write in. (A folder of the
// host that is shown to it may lie on a tmpfs, too, which is the host's.)
Bytes TmpfsInUse(pid_t process, std::span<const std::string> tmpfs);

struct InUse {
  Bytes bytes;
  bool is_divided;  // what processes share counts once
};

// To divide what processes share is expensive, and done only where the undivided figure is more than `enough`.
InUse MemoryInUse(std::span<const pid_t> processes, std::span<const std::string> tmpfs, Bytes shared, Bytes enough);

}  // namespace tally
