// Calls that make objects of shared anonymous memory (resources/shared_objects.h): where a run stops at them, and how large they are.
#pragma once

#include <linux/filter.h>
#include <sys/types.h>

#include <optional>
#include <span>

#include "base/units.h"
#include "supervisor/tracing/tracee.h"

namespace tally {

// Stops at mmap with MAP_SHARED, of x86-64's and i386's calls.
std::span<const sock_filter> SharedMappingFilter();

// Nothing: the call maps a file, which has its pages already, or is another one.
std::optional<Bytes> SharedMappingIn(pid_t tid, const StoppedCall& call);

}  // namespace tally
