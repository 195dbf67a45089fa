// What the sandboxes of one executor share: the user that their programs become, the init processes that wait for a next
// program, and what ended runs and sandboxes left to be done when nobody waits for a result.
//
// A fork has a copy of this, and of the sandboxes; the processes and mounts stay those of who made them. So a copy does
// nothing at its end (is_ours).
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "supervisor/sandbox/sandbox_user.h"

namespace tally {

class ReusedInit;

class Sandboxes {
 public:
  Sandboxes() = default;
  ~Sandboxes();
  Sandboxes(const Sandboxes&) = delete;
  Sandboxes& operator=(const Sandboxes&) = delete;

  [[nodiscard]] bool is_ours() const { return ::getpid() == owner_; }
  [[nodiscard]] SandboxUser& user() { return user_; }

  // Inits that are kept (reused_init.h).
  void Add(ReusedInit* kept) { kept_.push_back(kept); }
  void Remove(ReusedInit* kept);
  void KillReusedInits();

  // An init that was killed, and not reaped yet.
  void AddEnded(pid_t init) { ended_inits_.push_back(init); }
  void Reap();
  // A root whose sandbox is no more. To unmount waits for the kernel's readers (fs/namespace.c, namespace_unlock), and the end
  // of this process unmounts as well; so it is done when the next root is built.
  void AddEnded(std::string root) { ended_roots_.push_back(std::move(root)); }
  void Unmount();
  void ForgetMounts() { ended_roots_.clear(); }

 private:
  pid_t owner_ = ::getpid();
  SandboxUser user_;
  std::vector<ReusedInit*> kept_;
  std::vector<pid_t> ended_inits_;
  std::vector<std::string> ended_roots_;
};

}  // namespace tally
