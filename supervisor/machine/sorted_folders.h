// getdents64(2) in the order of names, where the kernel's is the file system's: run times walk through folders of modules as they
// begin (CPython, Ruby), and libc's sort takes other steps for another order.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "supervisor/tracing/tracee.h"

namespace tally {

class SortedFolders {
 public:
  // The call's result, negative errno. Nothing: the folder is too large, out of our reach, or /proc while the program has other
  // processes; the kernel is to answer, in an order of its own. What entries say of places to go back to (seekdir(3)) is in the kernel's order.
  std::optional<std::int64_t> Answer(pid_t tid, const StoppedCall& call);

 private:
  // Of a folder that does not fit into what the program has room for: it was read to its end, and this the program has not seen yet.
  struct Rest {
    std::uint64_t folder;  // its number
    std::vector<char> entries;
  };
  std::map<std::pair<pid_t, std::uint64_t>, Rest> rests_;  // by process and descriptor
};

}  // namespace tally
