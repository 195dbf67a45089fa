// The program's open files, for us.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/fd.h"

namespace tally {

// The same open file (pidfd_getfd(2)): what we read there it has read. Not valid where there is none, or where the process's first
// thread has ended before others.
Fd OpenFileOf(pid_t tid, std::uint64_t descriptor);

// Its name as /proc has it: a path, "pipe:[1234]", "socket:[5]", "anon_inode:[eventfd]"; "" where there is none.
std::string NameOfFile(pid_t tid, std::uint64_t descriptor);

}  // namespace tally
