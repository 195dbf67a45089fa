// Where this process may make cgroups below its own, to limit what it runs (cgroups(7)).
//
// Theory of operation. In version 1 each controller has a tree of its own, and one makes a directory in it. Version 2 has
// one tree for all controllers, and a rule: a cgroup that hands controllers on to its children (cgroup.subtree_control)
// has no processes itself (Documentation/admin-guide/cgroup-v2.rst, "No Internal Process Constraint"). So where our own
// cgroup is ours to divide ("delegated": systemd's Delegate=yes, a container's), we first step aside into a leaf of it,
// tally-PID-self; our cgroups then lie beside the leaf. A process that one of ours started finds itself in that leaf, and
// makes its cgroups above it, too. A process that starts children first, which would stay behind and stand in the way, steps aside
// before them. Others who are in a delegated cgroup, or in the root of a container's cgroup namespace, step aside together with us. Where our
// own cgroup is not ours to divide, as in a login session, systemd is asked for one (systemd_cgroup.h).
//
// All our cgroups carry the process's number in their name, so that what a killed one left can be told and removed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tally {

// The kernel's files; others for tests.
struct CgroupFiles {
  std::string mount = "/sys/fs/cgroup";
  std::string own = "/proc/self/cgroup";
  std::string systemd = "/run/systemd/system";  // is there where systemd has booted the machine (sd_booted(3))
};

struct CgroupParent {
  int version = 0;        // 1 or 2
  std::string directory;  // in which cgroups with the controller can be made
};

// The parent of cgroups with `controller` ("memory", "cpu"), by version 2 where that has it. nullopt where this process may
// make none; `why` then says so.
std::optional<CgroupParent> FindCgroupParent(std::string_view controller, std::string* why, const CgroupFiles& files = {});

// The directory of our own cgroup of version 2, the leaf if we stepped aside.
std::optional<std::string> OwnCgroup(const CgroupFiles& files = {});

// Behind the name of a cgroup in which no process is yet: where its owner's number means something. Two namespaces of processes may share
// a tree of cgroups.
std::string NamespaceMark();

// Removes what processes that are no more left in `directory`: cgroups PREFIX-PID..., and those below them. One that has the mark of
// another namespace of processes stays.
void SweepCgroups(const std::string& directory, std::string_view prefix);
// A cgroup and those below it, as far as no process is left in them.
void RemoveCgroups(const std::string& cgroup);

}  // namespace tally
