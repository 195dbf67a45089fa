// What the kernel's files about cgroups say, and the few that are written (cgroups(7),
// Documentation/admin-guide/cgroup-v2.rst).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tally {

// In a text like that of /proc/self/cgroup, the last field of the line "5:cpu,cpuacct:/path"; version 2's
// line is "0::/path", and `controller` "".
std::optional<std::string> OwnPath(std::string_view own, std::string_view controller);
// Ours of version 2.
std::optional<std::string> OwnCgroupPath();

// Of cgroups of version 2. Has it the controller?
bool HasController(const std::string& directory, std::string_view controller);
// Have its children, and may we make some?
bool HandsOn(const std::string& directory, std::string_view controller);
// Are they to have it from now on? False, and errno: the kernel refuses. EBUSY: a process is in the cgroup
// itself.
bool HandOnController(const std::string& directory, std::string_view controller);

// All processes directly in `from` go into `to`. False: one stays.
bool MoveAll(const std::string& from, const std::string& to);

}  // namespace tally
