// The program's open files, for us.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "base/fd.h"

namespace tally {

// The same open file (pidfd_getfd(2)): what we read there it has read. Not valid where there is none, or where the process's first
// thread has ended before others.
Fd OpenFileOf(pid_t tid, std::uint64_t descriptor);

}  // namespace tally
