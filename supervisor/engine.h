// The seam between a run and how its instructions are executed and counted. Watch owns the loop and the
// verdict's evidence; an engine decides how a stopped task goes on, and counts.
//
//   NativeEngine   the processor executes; a hardware counter counts, or nothing does
//   StepEngine     one instruction at a time: the reference
//
// An engine sees: Attach before execve, OnExec at the program's first instruction, OnNewTask for each thread
// or child, Resume whenever a task is to go on, TakesStop first at each signal-delivery stop.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>

#include "supervisor/run_request.h"
#include "supervisor/run_result.h"
#include "supervisor/wait_status.h"

namespace tally {

class Engine {
 public:
  virtual ~Engine() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::string counter() const = 0;

  // The program waits before its execve.
  virtual void Attach(pid_t /*program*/) {}
  // `tid` stands before the first instruction of a new program.
  virtual void OnExec(pid_t /*tid*/) {}
  virtual void OnNewTask(pid_t /*tid*/) {}
  virtual void OnExitStop(pid_t /*tid*/) {}
  virtual void OnGone(pid_t /*tid*/) {}

  // Lets a stopped task go on with `signal` delivered (0: none). May run it for a while and return the stop or
  // end it came to; nullopt when the task is running.
  virtual std::optional<WaitStatus> Resume(pid_t tid, int signal) = 0;
  // True when a signal-delivery stop was the engine's own doing, not a signal for the program.
  virtual bool TakesStop(pid_t /*tid*/, const WaitStatus& /*status*/) { return false; }

  // The count so far: live where the counter can be read while the program runs.
  [[nodiscard]] virtual Measured<Instructions> Count() = 0;
};

// Chooses the engine for `counter`; kAuto takes perf where the host has it. SystemError when a counter is
// asked for by name and the host has none: one sentence with what to do.
std::unique_ptr<Engine> MakeEngine(Counter counter, const Limits& limits);

}  // namespace tally
