// The supervisor's own corner of the mount tree.
//
// Theory of operation. A process that runs sandboxes moves once into a mount namespace of its own (as an
// ordinary user: into a user namespace as well, which needs no privilege) and builds roots there. Every run
// then only clones that namespace. So the slow part, the bind mounts, is paid once per sandbox, the host
// never sees a mount, and nothing is left when the process ends, however it ends. A fork (a judging worker) moves once more, into a copy
// of its parent's: it finds the roots that are there, and what both mount from then on does not meet.
//
// Each root is a tmpfs over a directory that every Linux has and nobody needs (/proc/tty): no folder has to be made on the host,
// and no path that a user might name is hidden. The first root lies right there, the others in a tmpfs of ours beside it, which
// a process with one sandbox is spared: each tmpfs is a twentieth of what its run costs, most of that when it goes.
//
// The ipc namespace is made here as well and shared by all runs: every policy forbids the calls that could leave
// something in it, so it only guards the host against a policy's mistake.
//
// Consequences for callers: the process must be single-threaded (unshare(2), CLONE_NEWUSER), and runs go in
// parallel by processes, not by threads.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/units.h"
#include "supervisor/api/run_request.h"

namespace tally {

// The ids the program sees, and as root really has: outside the ranges Debian gives to users and services
// (Debian policy 9.2.2: 60000-64999 are reserved, assigned on demand).
inline constexpr uid_t kSandboxUid = 60000;
inline constexpr gid_t kSandboxGid = 60000;

struct PrivateMounts {
  bool user_namespace;  // false: we were root and kept the host's ids
};

// SystemError where /proc is not that of our own PID namespace: tasks, figures and namespaces are looked up there by process ids.
void RequireOwnProc();

// Are we root whose programs can be the sandbox's user? Not so the root of a user namespace with no other user in it, as `unshare -r`
// makes one, nor the root of a container who may not trace other users' processes (CAP_SYS_PTRACE): they are as ordinary as any user.
bool CanChangeUser();
// Is there such a user and group in our user namespace?
bool IsUser(uid_t id);

// Will a program run as the sandbox's user, another than ours, who must be given the folders it writes to?
bool ProgramsChangeUser(Isolation isolation);

// Enters on the first call of a process, then returns the same answer. SystemError says which call the host
// refused and what to do ("tally check-host").
const PrivateMounts& EnterPrivateMounts();

// A tmpfs for mount points and small files of our own, mounted by the first call. Enters.
const std::string& PrivateDirectory();

// Of mount(2), for a tmpfs that programs write to.
std::string TmpfsOptions(Bytes size);
// A tmpfs of that size for a folder that many runs are shown one after the other; it ends with this process. Enters.
std::string MountTmpfsForRuns(Bytes size);

// Mounts the tmpfs that a root is built on, writable still, and says where. Enters.
std::string MountTmpfsForRoot();
void UnmountRoot(const std::string& root);

}  // namespace tally
