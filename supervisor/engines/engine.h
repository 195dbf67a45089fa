// The seam between a run and how its instructions are executed and counted. Watch owns the loop and the
// verdict's evidence; an engine decides how a stopped task goes on, and counts.
//
//   NativeEngine      the processor executes; a hardware counter counts, or nothing does
//   PerfEngine        the same with the virtual machine (machine/), as far as the processor lets it be
//   StepEngine        one instruction at a time: the reference
//   TranslatedEngine  the program runs in translation, which counts (translator/)
//
// An engine sees: PrepareChild before there is a child, Attach before execve, OnExec at the program's first instruction, OnNewTask for each thread
// or child, Resume whenever a task is to go on, ResumeCall where that is a system call which a filter
// stopped and the policy allows, TakesStop first at each signal-delivery stop.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "supervisor/api/run_request.h"
#include "supervisor/api/run_result.h"
#include "supervisor/resources/engine_memory.h"
#include "supervisor/tracing/postponed_stops.h"
#include "supervisor/tracing/stop_cost.h"
#include "supervisor/tracing/wait_status.h"

namespace tally {

class VirtualMachine;
struct ChildPlan;
struct StoppedCall;

class Engine {
 public:
  virtual ~Engine() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::string counter() const = 0;

  // Descriptors and filters that the program's process is to begin with.
  virtual void PrepareChild(ChildPlan* /*plan*/) {}
  // The program waits before its execve.
  virtual void Attach(pid_t /*program*/) {}
  // `tid` stands before the first instruction of a new program.
  virtual void OnExec(pid_t /*tid*/) {}
  // A thread or child. `parent` is stopped in the call that made it; -1 where only the new task was seen yet (the
  // second call will say it).
  virtual void OnNewTask(pid_t /*tid*/, pid_t /*parent*/) {}
  virtual void OnExitStop(pid_t /*tid*/) {}
  virtual void OnReaped(pid_t /*tid*/) {}

  // A stop signal stopped the task; Resume will end that.
  virtual void OnStopped(pid_t /*tid*/) {}
  // Nothing of the program is left.
  virtual void OnRunOver() {}
  // Called whenever Watch has woken up; it will again after that long at the latest.
  virtual Nanoseconds Check() { return Nanoseconds::max(); }

  // Lets a stopped task go on with `signal` delivered (0: none). May run it for a while and return the stop or
  // end it came to; nullopt when the task is running.
  virtual std::optional<WaitStatus> Resume(pid_t tid, int signal) = 0;
  virtual std::optional<WaitStatus> ResumeCall(pid_t tid, const StoppedCall& /*call*/) { return Resume(tid, 0); }
  // True when a signal-delivery stop was the engine's own doing, not a signal for the program.
  virtual bool TakesStop(pid_t /*tid*/, const WaitStatus& /*status*/) { return false; }

  // Each is as if it came when Watch sees it.
  PostponedStops& postponed() { return postponed_; }

  // The program writes into a pipe that Watch empties whenever it has its turn.
  virtual void OutputIsPumped() {}

  // When Watch looks at the limits next (monotonic clock): no call of the engine's lasts longer.
  virtual void ReturnBy(Nanoseconds /*when*/) {}

  // The run is over and its result is known: what may serve later runs is written, if there is anything.
  [[nodiscard]] virtual bool HasToKeep() const { return false; }
  virtual void Keep() {}

  // What the program did that this engine does not allow; "" so far. The program is not resumed then.
  [[nodiscard]] virtual std::string violation() const { return ""; }
  // System calls, where the engine counts them itself.
  [[nodiscard]] virtual bool CountsSystemCalls() const { return false; }
  [[nodiscard]] virtual std::uint64_t SystemCalls() const { return 0; }
  // What it cost the program to be stopped by the engine, where that may be more than it uses itself.
  [[nodiscard]] virtual StopTimes OwnStops() const { return {}; }
  // At most, before the program begins; as it is, later.
  [[nodiscard]] virtual EngineMemory OwnMemory() const { return {}; }

  // Does every task of the program wait for others of it, so that none will ever go on?
  [[nodiscard]] virtual bool IsDeadlocked() const { return false; }

  // Why a program of several tasks may have another count next time; "" where it has the same.
  [[nodiscard]] virtual std::string WhyTasksVary() const { return "there were several threads or processes"; }

  // The same of one that has a /proc.
  [[nodiscard]] virtual std::string WhyProcVaries() const { return "the sandbox shows /proc, where some of this machine and of the run can be seen"; }

  // What the program finds in place of this machine; nullptr: this machine.
  [[nodiscard]] virtual const VirtualMachine* machine() const { return nullptr; }

  // The count so far: live where the counter can be read while the program runs.
  [[nodiscard]] virtual Measured<Instructions> Count() = 0;
  // While the program runs, Count may be above what was executed by so many: a limit is not passed before that.
  [[nodiscard]] virtual Instructions CountedAhead() const { return Instructions{}; }
  // The program's CPU time, read after Count(): where the two do not fit, violation() says so.
  virtual void CompareCount(Nanoseconds /*cpu*/) {}

 private:
  PostponedStops postponed_;
};

}  // namespace tally
