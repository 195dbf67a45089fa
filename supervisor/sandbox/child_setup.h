// Starts the program's process, up to the point where only execve is left.
//
// Theory of operation. With full isolation three processes take part:
//
//   supervisor --clone(new pid, mount, uts namespaces)--> init (pid 1)
//        init: session, host name, per-run mounts, pivot_root, filter --vfork--> program (pid 2)
//              (or, where the last run left its mounts untouched, setns into those: reused_mounts.h;
//              or nothing of this, where an init that waits starts the program: reused_init.h)
//             program: memory cgroup, streams, rlimits, ids and capabilities, "ready" .... waits for "go"
//   supervisor on "ready": seizes the program with ptrace, puts it into its cgroup if it could not join that, attaches
//             counters; "go"
//             program: seccomp filters (with init's they are its policy: seccomp/policy.h), execve
//
// Where only one run is to come the program is born in its user namespace (sandbox_user.h). The supervisor writes that one's maps on
// "ready", and ids and capabilities change after "go".
//
// The program is not pid 1, so signals, orphans and wait(2) behave as on any machine; init only reaps, holds
// no descriptor and no capability (but for what it needs where it is to start the next program), and when the
// supervisor kills it the kernel kills everything in the namespace. Init dies with the supervisor
// (PR_SET_PDEATHSIG). Without namespaces the supervisor clones the program itself.
//
// The order of steps is a security property: the lists in child_steps.cc are to be read as such. Between
// clone and execve nothing allocates or throws: all text is prepared here, and a step that fails sends its
// number and errno over a close-on-exec socket, then exits. That is our failure (SystemError), never the
// program's. The one exception is execve itself, whose errno is usually about the user's file: the caller
// gets it (Watch).
#pragma once

#include <linux/filter.h>
#include <sys/types.h>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "supervisor/resources/child_limits.h"
#include "supervisor/sandbox/reused_init.h"
#include "supervisor/sandbox/sandbox.h"
#include "supervisor/sandbox/sandboxes.h"

namespace tally {

// Everything the child needs, decided beforehand. Strings and spans must outlive StartChild.
struct ChildPlan {
  Sandboxes* sandboxes = nullptr;  // the executor's
  const Sandbox* sandbox = nullptr;
  std::string program;
  std::vector<std::string> argv;
  std::vector<std::string> env;
  std::string work_dir;
  int stdin_fd = -1;
  int stdout_fd = -1;
  int stderr_fd = -1;
  std::vector<int> more_descriptors;  // that it keeps, by their numbers; then no init is kept or reused
  ChildLimits limits;
  std::span<const sock_filter> init_filter;           // with full isolation: init's, and so every program's of it. For as long as we are there
  std::vector<std::span<const sock_filter>> filters;  // installed in this order
  bool address_randomization = true;
  bool time_stamps_fault = false;  // rdtsc is SIGSEGV, here and in all it executes and forks (PR_SET_TSC)
  bool network_namespace = false;  // only where the policy permits sockets
  int network = -1;                // one to enter (empty_network.h); -1: none
  int landlock_ruleset = -1;       // reduced isolation
  bool alone = false;              // the policy lets it start neither process nor thread
};

// What the child says when a step fails.
struct SetupFailure {
  std::string step;  // "mount /tmp in the sandbox"
  int error;
  bool at_execve;    // the last step: usually the user's file
};

// The program that waits for Go.
struct Started {
  pid_t program;
  bool in_cgroup;  // it has joined ChildPlan::cgroup; where the host does not let it, it is to be moved there
  bool in_new_namespace;  // a user namespace of its own
};

class Child {
 public:
  // `init` has no pid without namespaces, but always the channel. `keeper`: where it stays for the next run; else nullptr.
  Child(Init init, Started started, ReusedInit* keeper, Sandboxes* home)
      : init_(std::move(init)), started_(started), keeper_(keeper), home_(home) {}
  Child(Child&& other) noexcept
      : init_(std::exchange(other.init_, Init{})),
        started_(other.started_),
        keeper_(std::exchange(other.keeper_, nullptr)),
        home_(other.home_),
        root_reaped_(other.root_reaped_) {}
  Child& operator=(Child&&) = delete;
  ~Child();

  // The process to kill to end everything: init where there is one, else the program.
  [[nodiscard]] pid_t root() const { return has_init() ? init_.pid : started_.program; }
  [[nodiscard]] pid_t program() const { return started_.program; }
  [[nodiscard]] bool is_in_cgroup() const { return started_.in_cgroup; }
  [[nodiscard]] bool has_init() const { return init_.pid > 0; }
  // The run is over without its end.
  [[nodiscard]] bool init_stays() const { return keeper_ != nullptr; }
  // A process has ended that may be init's, which hears of that from us alone where it stays (reused_init.h).
  void Reap() const;
  // Asks an init that stays: is there no other process in its namespace?
  [[nodiscard]] bool IsEmpty() const;

  void Go() const;  // lets the program on to its filters and execve
  // What failed after Go, if anything did; asked once the program is seen dead before its first instruction.
  [[nodiscard]] std::optional<SetupFailure> Failure() const;
  // SIGKILL to the root, unless it is gone. Init does not stay then.
  void KillRoot();
  // The root was reaped: its id may be another process's.
  void NoteRootReaped() {
    keeper_ = nullptr;
    root_reaped_ = true;
  }
  [[nodiscard]] bool is_root_reaped() const { return root_reaped_; }

 private:
  Init init_;
  Started started_;
  ReusedInit* keeper_;
  Sandboxes* home_;
  bool root_reaped_ = false;
};

// Ends an init that serves no run; `home` reaps it later.
void EndInit(Init init, Sandboxes* home) noexcept;

// Returns when the program waits for Go. SystemError when a step before that failed; no process is left then.
Child StartChild(const ChildPlan& plan);

// An init that is ready for the first of the programs to come, where one of a plan like this may stay (reused_init.h). Of the plan counts
// what is init's: no program is named yet. SystemError as above.
void HaveInitWait(const ChildPlan& plan);

}  // namespace tally
