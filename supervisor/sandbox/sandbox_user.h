// The user that programs become where Tally is root, one for each executor.
//
// Theory of operation. The kernel has limits for each user: pending signals, processes, memory of pipes, watches of epoll and
// inotify. Two programs of one user that run at the same time share them, so one could use up what the other needs. So every
// executor takes a user of its own, the first free one of its network namespace from kSandboxUid on, while its process lives:
// a socket bound to an abstract name (unix(7)) goes with its last descriptor, however its owner ends.
//
// A program must not see which one it has, because the next run may have another. So it enters a user namespace in which that
// user is kSandboxUid, as in a user namespace of an ordinary user (private_mounts.h); there everybody else is "nobody". The
// namespace is made once and entered by setns(2), a hundredth of a warm start; making it takes 150 us of a cold one, a seventh of a fork and
// an exec (a third of that to clone who holds it, a third each for its maps and its end). A program has no capability in it.
// Where the host allows no user namespaces, programs see the number itself.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "base/fd.h"

namespace tally {

class SandboxUser {
 public:
  // As the machine sees them. The first call takes them.
  [[nodiscard]] uid_t uid();
  [[nodiscard]] gid_t gid();
  // The namespace for setns(2), made by the first call; -1 where the host allows none.
  [[nodiscard]] int Namespace();
  // The host allowed no namespace, so programs see the number itself, and it is not kSandboxUid.
  [[nodiscard]] bool IsSeenAsNumber() const;
  // Makes a file or folder theirs, not what a link leads to. Errno, or 0.
  int Own(const std::string& path);

 private:
  void Take();

  Fd taken_;
  uid_t uid_ = 0;
  std::optional<Fd> namespace_;
};

}  // namespace tally
