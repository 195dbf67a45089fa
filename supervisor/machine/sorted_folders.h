// getdents64(2) in the order of names, where the kernel's is the file system's: run times walk through folders of modules as they
// begin (CPython, Ruby), and libc's sort takes other steps for another order.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "supervisor/tracing/tracee.h"

namespace tally {

// The call's result, negative errno. Nothing: the folder does not fit into what the program has room for, or is out of our reach;
// the kernel is to answer, in an order of its own. What entries say of places to go back to (seekdir(3)) is in the kernel's order.
std::optional<std::int64_t> ListSorted(pid_t tid, const StoppedCall& call);

}  // namespace tally
