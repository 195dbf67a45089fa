// Where a program's large mappings lie, which is the virtual machine's to say (the rule `addresses`).
//
// Kernels put a mapping to which the program gives no address into the highest gap that holds it, all of them, but for
// mappings of a huge page (2 MiB) and more: those some of them align, so that they can be made of huge pages. Files since
// Linux 5.18 where their file system asks for it (1854bc6e2420, "mm/readahead: Align file mappings for non-DAX"; ext4, xfs and
// btrfs do, overlays and 9p do not), memory since 6.7 (efa7df3e3bb5, "mm: align larger anonymous mappings on THP
// boundaries"). libstdc++ is that large. So a throw through it, which searches a table of the libraries' addresses, took 53
// instructions more on one machine than on another.
//
// Here the supervisor takes the highest gap itself: the address that a kernel without huge pages gives. It does so for
// programs of one thread; with several, others map and unmap meanwhile, and their counts vary for more than this.
#pragma once

#include <linux/filter.h>
#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/process_maps.h"
#include "base/units.h"
#include "supervisor/tracing/tracee.h"

namespace tally {

inline constexpr std::uint64_t kLargeMapping = 2ULL << 20;

// Is it a call that maps so much, and leaves the place to the kernel?
bool ChoosesLargePlace(const StoppedCall& call);
// One that populates what it maps takes as long as the program likes. No limit holds while somebody waits for a call, so nobody waits
// for these: they are not placed, and counts with them may vary.
bool Populates(const StoppedCall& call);
// Those calls, and perhaps others of their names: stops at them, after which the accumulator has the call's number again.
std::vector<sock_filter> StopAtLargeMappings();

class LargeMappings {
 public:
  explicit LargeMappings(std::optional<Bytes> stack_limit);

  // The call in which a program of one thread is stopped gets an address. Then it is to be brought to its end, and
  // RestoreArguments: a system call leaves its arguments in their registers. False: it stays as it is.
  [[nodiscard]] bool Place(pid_t tid, const StoppedCall& call) const;

  // The place that mmap gets for `size` bytes, whole pages; nothing: there is none.
  [[nodiscard]] std::optional<std::uint64_t> Find(const std::vector<MapsLine>& maps, std::uint64_t size) const;

 private:
  std::uint64_t end_;  // of where mappings lie
};

void RestoreArguments(const StoppedCall& call, user_regs_struct* registers);
// Lets the kernel make the call, and stops behind it with the arguments restored. False: the task is at its end.
bool MakePlacedCall(pid_t tid, const StoppedCall& call);

}  // namespace tally
