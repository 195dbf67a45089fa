// At which system calls a program stops for the virtual machine: those that tell time or the machine's state, list a folder,
// give random numbers, or leave the place of a large mapping to the kernel, as far as their rules hold. A filter stops it at
// these and at no others (a call that is always allowed costs nothing, kernel/seccomp.c, seccomp_cache_prepare).
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

#include "supervisor/api/virtual_cpu_options.h"
#include "supervisor/tracing/tracee.h"

namespace tally {

// rseq is refused by it, whatever the sandbox says: a program that uses it depends on when the kernel interrupts it.
// `at_status`: at what tells of files, too (virtual_status.h).
std::vector<sock_filter> MakeStopFilter(VirtualRules rules, bool at_status);

// Is it for this that the call stopped?
// wait4 and waitid with an address for what the child has used.
bool AsksOfChildren(const StoppedCall& call, VirtualRules rules);
bool StopsForMachine(const StoppedCall& call, VirtualRules rules);

}  // namespace tally
