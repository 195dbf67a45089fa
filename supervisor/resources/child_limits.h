// Limits that the program's process sets on itself before it begins: rlimits, and the memory cgroup that it joins.
#pragma once

#include <sys/resource.h>

#include <vector>

namespace tally {

struct ResourceLimit {
  __rlimit_resource resource;
  rlim_t value;
  bool operator==(const ResourceLimit&) const = default;
};

// The program's way into its memory cgroup. Moved by another, or with all threads of its process, it would have to wait until
// no task of the machine is in the midst of a fork: a grace period of the kernel, 5 to 15 ms for whoever comes after a rest
// (kernel/cgroup/cgroup.c, cgroup_attach_lock).
struct CgroupToJoin {
  enum class How {
    kWrites,  // v1: the program writes itself into the file "tasks" (kernel commit 9a3284fad42f)
    kCloned,  // v2: it is cloned into the directory (CLONE_INTO_CGROUP, clone(2))
  };
  int fd = -1;
  How how = How::kWrites;
};

struct ChildLimits {
  std::vector<ResourceLimit> rlimits;
  CgroupToJoin cgroup;
};

}  // namespace tally
