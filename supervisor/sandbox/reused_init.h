// The init of a run that is over, kept to start the next one.
//
// Theory of operation. Making init is the most expensive part of a start: a copy of the supervisor's memory, three namespaces, a
// session, and the end of all of that. So from the second run on init stays, or one is made before there is a first (HaveInitWait): it
// waits on its socket, gets the next run's streams and cgroup there, reads in memory that it shares with the supervisor what to start
// (launch.h), and starts it as pid 2 again (clone3, set_tid).
//
// Only where nobody can tell it from a new one:
//
//   processes    None is left. The filter ends a program that may start none before it has a child, so pid 2 was the only process. One
//                that may start others is seen dead with all of those of which its events have told; then init is asked, to which all
//                orphans come, whether there is one of which they have not, and if so it ends with them. So it does where a program
//                was ended. (Init waits for us alone, and not for its children: it reaps when we tell it that a
//                process has ended, before it answers, and before it starts the next one. So the end of a program wakes nobody but us.)
//   numbers      The next program is pid 2 (set_tid), and its first child 3 as in a new namespace (ns_last_pid, which /proc shows to all).
//   init itself  What a program's start takes from it (ids, groups, masks, signal actions, umask, working folder,
//                scheduling, session) it has from before the first program, and what of their filter is the same for all of them
//                (seccomp/policy.h); limits and the rest of the filter each program's start sets anew. No program may change any of it in another process: no policy permits setpriority, ioprio_set, sched_set*, prlimit64
//                with a new limit, setpgid, setsid, ptrace or process_vm_writev to a program without processes; one with processes
//                has such an init only where that is another user's (sandbox_user.h), whom it may do nothing to. Signals from inside do not
//                reach pid 1 (it has no handler and blocks none), and its memory cannot be opened: it is not dumpable
//                while a program is alive.
//   files        It lives in the mount namespace that reused_mounts.h keeps, and ends with it.
//   /proc        Where the sandbox shows one, it is read-only and init's own, so it has init and the program, as a new one would. Of what
//                is in init's folder a program can read what anybody may: no signal from inside gets there, and its figures are those of
//                its own work.
//   the rest     The host name takes a capability that no program has; IPC is forbidden to all; a network namespace is never
//                kept.
//
// What is to be seen: clock_gettime on process 1's CPU clock, or /proc/1/stat, says since when init is there and how long it has worked,
// so about how many programs it has started; nothing that one of those did.
//
// What it may: choose the next program's pid (CAP_CHECKPOINT_RESTORE) and, where programs change user, bring them into the
// user namespace that it made with root's id (sandbox_user.h; without one CAP_SETUID and CAP_SETGID). It executes nothing, opens nothing, and dies with the supervisor.
//
// Where a program is to have what init cannot give it (another working folder, higher limits than its own, a socket; processes, where
// they would be init's own user or cannot be numbered anew, because /proc/sys is read-only as in a container), and where anything is odd (it has died, the kernel does not give pid 2, the last program never began), a new init is made.
// One init serves one Sandbox and one executor; a forked worker makes its own.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>

#include "base/fd.h"
#include "supervisor/sandbox/launch.h"

namespace tally {

struct ChildPlan;
class Sandboxes;

// A process that starts programs. The handle (pidfd) is there for one that may outlive its run: its pid may be another's by
// the time it is to end.
struct Init {
  pid_t pid = -1;
  Fd handle;
  Fd channel;
};

class ReusedInit {
 public:
  ReusedInit();
  ~ReusedInit();
  ReusedInit(const ReusedInit&) = delete;
  ReusedInit& operator=(const ReusedInit&) = delete;

  // An init is about to be made that starts this, and will be kept if all goes well. nullptr: for this there is no room.
  // `numbers_anew`: it can have processes numbered as in a new namespace, and so start programs that start others.
  [[nodiscard]] const Launch* WillStart(const ChildPlan& plan, bool numbers_anew);
  void Keep(Init init, Sandboxes* home);

  // Can the one that is kept start this, if it has room?
  [[nodiscard]] bool Starts(const ChildPlan& plan) const;
  // For init to read. nullptr: there is no room.
  [[nodiscard]] const Launch* Put(const ChildPlan& plan) const { return room_ ? room_->Put(plan) : nullptr; }
  [[nodiscard]] Init Take() noexcept;
  void End() noexcept;
  [[nodiscard]] pid_t pid() const { return init_.pid > 0 ? init_.pid : 0; }  // 0: there is none

  // The kernel did not give the pid that was asked for; it will not next time.
  void GiveUp() noexcept;
  [[nodiscard]] bool given_up() const { return given_up_; }

 private:
  struct Own;
  std::unique_ptr<const Own> own_;  // what the last init was made with, and cannot change
  std::optional<LaunchRoom> room_;
  Init init_;
  Sandboxes* home_ = nullptr;  // of the executor whose init this is
  bool given_up_ = false;
};

}  // namespace tally
