// A delegated cgroup asked of systemd, where our own is not ours to divide: in a login session, a service, a
// script of root's.
//
// Theory of operation. On a machine of systemd's every cgroup has one owner (systemd.io/CGROUP_DELEGATION):
// we make cgroups below a unit with Delegate=yes only. A unit of our own, tally-runs.service in tally.slice,
// is such a place. systemd starts it, once, for all that Tally runs as one user: the system's for root, the
// user's own otherwise. Its one process, the keeper, does nothing but be there, and ends when no cgroup of
// ours is left for some minutes; so runs one after the other find the unit there and ask nobody. Whoever
// starts it moves the keeper into a leaf and hands the controllers on.
//
//   tally.slice/tally-runs.service/keeper         the keeper
//                                 /tally-PID-self  where a Tally of a user's is itself
//                                 /tally-PID-N     a run
//
// Root may start a process in any cgroup (clone3, CLONE_INTO_CGROUP). A user may do that only where the
// cgroup above both is the user's (cgroup_attach_permissions in kernel/cgroup/cgroup.c); so a user's Tally
// has systemd move it into the unit first.
//
// The unit is KillMode=process: that it ends ends no run.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tally {

// Is the cgroup a unit's with Delegate=yes? systemd marks those (systemd.resource-control(5): user.delegate,
// trusted.delegate).
bool IsDelegatedBySystemd(const std::string& cgroup);

// The directory in which cgroups with `controller` can be made, below `mount` (of version 2); made where
// there is none yet. nullopt: `why` says what is missing.
std::optional<std::string> SystemdCgroup(const std::string& mount, std::string_view controller,
                                         std::string* why);

}  // namespace tally
