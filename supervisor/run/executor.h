// Executor: runs programs, each once and inside limits, one after the other. The way through a run is the body of Run.
//
// PlanRun does everything that can fail or is slow before there is a child; StartChild is the list of set-up steps; Watch waits
// and enforces; Judge decides. What the program did is the returned value.
//
// An executor owns what lives longer than a run: memory cgroups, init processes that wait for a next program, what ended runs
// left to be done, the user that programs become. What it cannot own is the process's own: the mount namespace
// (private_mounts.h), the launch path, and the children, for which it waits. So there is one executor at a time in a process
// (process_executor.h), and runs go in parallel by processes.
#pragma once

#include <memory>
#include <vector>

#include "supervisor/api/cannot_execute.h"
#include "supervisor/api/run_request.h"
#include "supervisor/api/run_result.h"
#include "supervisor/engines/engine.h"
#include "supervisor/resources/memory_cgroups.h"
#include "supervisor/sandbox/sandbox.h"
#include "supervisor/sandbox/sandboxes.h"

namespace tally {

class Executor {
 public:
  // `prepared`: another executor, whose process this one's is a fork of, has called PrepareForManyRuns.
  explicit Executor(bool prepared = false);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // CannotExecute: the kernel refuses the program's file. SystemError: the host refused something; nothing of the run is left.
  RunResult Run(const RunRequest& request, const Sandbox& sandbox);

  // Pays once for what makes many runs cheaper: a caller that will run a batch calls it first.
  void PrepareForManyRuns();
  [[nodiscard]] bool is_prepared() const { return counts_by_tracepoint_; }
  // Makes ready what the first run in `sandbox` would wait for, where that is a program that starts no others (reused_init.h). For a caller
  // that has the time before it knows what is to run.
  void PrepareFirstRun(const Sandbox& sandbox);
  // What ended runs left to be done when nobody waits: translations to write, processes to reap, roots to unmount. The next run
  // does it; a caller that waits for long in between calls this.
  void RetireRuns();
  // And what is kept for the next ones. The executor and its sandboxes can go on.
  void RetireAll();
  // The process ends, and with it its mounts: nobody has to wait for the kernel to take off each.
  void LeaveMounts() { sandboxes_.ForgetMounts(); }

  // What sandboxes are made with. The first of a user's takes this process into a user namespace, from where systemd can be asked for
  // nothing; so where cgroups can be made is found before.
  [[nodiscard]] Sandboxes& sandboxes();
  [[nodiscard]] MemoryCgroups& cgroups() { return cgroups_; }

 private:
  void KeepTranslations();

  Sandboxes sandboxes_;
  MemoryCgroups cgroups_;
  // They have something to keep for later runs (Engine::Keep), which is done when nobody waits for a result.
  std::vector<std::unique_ptr<Engine>> ended_engines_;
  bool counts_by_tracepoint_;
};

}  // namespace tally
