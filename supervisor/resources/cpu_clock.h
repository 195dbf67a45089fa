// The CPU time of one process to the nanosecond, user and system apart, without the 10 ms ticks of
// /proc/PID/stat. The kernel's process clocks give the exact sum and the tick counts of either part; the split
// follows the kernel's own rule (kernel/sched/cputime.c, cputime_adjust), so live samples agree with rusage.
#pragma once

#include <sys/types.h>

#include <optional>

#include "base/units.h"

namespace tally {

struct CpuTime {
  Nanoseconds user{0};
  Nanoseconds system{0};
  [[nodiscard]] Nanoseconds total() const { return user + system; }
};

// What the clocks say, kept unsplit so that a baseline can be taken off.
struct CpuClocks {
  Nanoseconds exact{0};         // CPUCLOCK_SCHED
  Nanoseconds user_ticks{0};    // CPUCLOCK_VIRT
  Nanoseconds all_ticks{0};     // CPUCLOCK_PROF
  [[nodiscard]] CpuTime Split() const;
  CpuClocks operator-(const CpuClocks& baseline) const;
};

// All threads of the process, the ended ones too; valid until it is reaped. nullopt: no such process.
std::optional<CpuClocks> ReadCpuClocks(pid_t process);

}  // namespace tally
