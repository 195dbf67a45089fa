// The user that programs become where Tally is root, one for each executor.
//
// Theory of operation. The kernel has limits for each user: pending signals, processes, memory of pipes, watches of epoll and
// inotify. Two programs of one user that run at the same time share them, so one could use up what the other needs. So every
// executor takes a user of its own, the first free one of its network namespace from kSandboxUid on, while its process lives:
// a socket bound to an abstract name (unix(7)) goes with its last descriptor, however its owner ends.
//
// A program must not see which one it has, because the next run may have another. So it lives in a user namespace in which that
// user is kSandboxUid, as in a user namespace of an ordinary user (private_mounts.h); there everybody else is "nobody". For many
// runs the namespace is made once and entered by setns(2), a hundredth of a warm start. To make it takes 180 us, most of it to start
// and end the process that holds it until we do; so the program of a single run is born in one (child_setup.h), which takes a
// third of that. Only /proc/self/uid_map tells, where a sandbox shows /proc. A program has no capability in it. Where the host allows no user namespaces, programs see the number itself.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <optional>
#include <string>

#include "base/fd.h"

namespace tally {

// What the kernel limits by users: a namespace has the limits of its maker on all users in it and in all other namespaces of that
// maker together (kernel/user_namespace.c, set_userns_rlimit_max; Linux 5.14). Of ours each program has its own limits, and these
// are to be the only ones.
inline constexpr __rlimit_resource kLimitsOfUsers[] = {RLIMIT_NPROC, RLIMIT_SIGPENDING, RLIMIT_MEMLOCK, RLIMIT_MSGQUEUE};

class SandboxUser {
 public:
  // As the machine sees them. The first call takes them.
  [[nodiscard]] uid_t uid();
  // One for all executors: no limit of the kernel's is on a group, and a worker's programs come by it to what its parent has made.
  [[nodiscard]] static gid_t gid();
  // The namespace for setns(2), made by the first call; -1 where the host allows none.
  [[nodiscard]] int Namespace();
  [[nodiscard]] bool has_tried_namespace() const { return namespace_.has_value(); }
  // The user and the group of a namespace in which only `process` is yet. False: the host does not let us.
  [[nodiscard]] bool WriteMaps(pid_t process);
  void NoteNoNamespace() { namespace_.emplace(); }
  // The host allowed no namespace, so programs see the number itself, and it is not kSandboxUid.
  [[nodiscard]] bool IsSeenAsNumber() const;
  // Makes a file or folder theirs, not what a link leads to. Errno, or 0.
  int Own(const std::string& path);

 private:
  void Take();
  Fd MakeNamespace();

  Fd taken_;
  uid_t uid_ = 0;
  std::optional<Fd> namespace_;
};

}  // namespace tally
