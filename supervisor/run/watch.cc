#include "supervisor/run/watch.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/sys.h"
#include "supervisor/api/cannot_execute.h"
#include "supervisor/resources/proc_status.h"
#include "supervisor/resources/program_size.h"
#include "supervisor/run/call_rules.h"
#include "supervisor/run/limit_watch.h"
#include "supervisor/run/process_limit.h"
#include "supervisor/run/shared_mappings.h"
#include "supervisor/run/signal_causes.h"
#include "supervisor/run/wake_ups.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/tracing/stop_cost.h"
#include "supervisor/tracing/task_events.h"
#include "supervisor/tracing/trace_codes.h"
#include "supervisor/tracing/tracee.h"
#include "supervisor/tracing/waits.h"

namespace tally {
namespace {

// In system time a stop is the way into the kernel and out again: 4 us in a virtual machine.
constexpr Nanoseconds kMostStopCpu = std::chrono::microseconds(10);

// For how long stops are handled before the limits are looked at: a program that stops all the time is to pass none.
constexpr Nanoseconds kLongestHandling = Milliseconds(5);

// What a program has in its address space when it begins: its stack, the dynamic linker, the kernel's pages.
constexpr Bytes kBesideSegments = Bytes::MiB(2);

bool DoNotFit(std::optional<Bytes> segments, std::optional<Bytes> memory) {
  return segments && memory && segments->count + kBesideSegments.count > memory->count;
}

class Watcher {
 public:
  Watcher(const WatchPlan& plan, Child* child, Tasks* tasks)
      : plan_(plan), child_(*child), tasks_(*tasks), calls_(plan), limits_(plan, tasks_), wake_ups_(plan), process_limit_(plan.limits.processes, tasks) {}

  Observations Run() {
    tasks_.Begin(child_.program());
    child_.Go();
    plan_.memory->OnGo();
    for (;;) {
      HandlePendingStops();
      if (Finished()) break;
      if (process_limit_.IsExceeded()) End(LimitKind::kProcesses);
      bool moved = false;
      plan_.ForEachPump([&](OutputPump* pump) { moved |= pump->Move(); });
      if (moved || CheckIsDue()) LookAtLimits();
      const Nanoseconds longest = std::min(plan_.engine->Check(), kLongestInterval);
      if (plan_.engine->IsDeadlocked()) End(LimitKind::kDeadlock);
      if (std::exchange(slept_, limits_.Slept()) != limits_.Slept()) LookAtLimits();
      wake_ups_.Wait(more_stops_ ? Nanoseconds(0) : std::min(limits_.next() - sys::MonotonicNow(), longest));
    }
    return Finish();
  }

 private:
  // A task has ended; its clocks are read for the last time.
  void Reap(pid_t tid) {
    if (tasks_.Remove(tid)) plan_.engine->OnReaped(tid);
    waits::Reap(tid);
  }

  // --- stops ---

  // Until there are none, or it is time to look at the limits.
  void HandlePendingStops() {
    const Nanoseconds end = std::min(sys::MonotonicNow() + kLongestHandling, limits_.next());
    do {
      more_stops_ = HandleOne(end);
    } while (more_stops_ && sys::MonotonicNow() < end);
  }

  // An end is reaped after the clocks were read. False: there is nothing to handle.
  bool HandleOne(Nanoseconds end) {
    const auto event = events_.Next();
    if (!event) return false;
    const auto& [tid, status] = *event;
    if (status.IsEnd()) {
      HandleEnd(tid, status);
    } else if (ending_ && !IsExit(status)) {
      // Nothing goes on any more. A process that comes to light now was made by one that has been killed since.
      if (!tasks_.AddNew(tid, -1)) tasks_.Kill(tid);
    } else {
      HandleStops(tid, status, end);
    }
    return true;
  }

  static bool IsExit(const WaitStatus& status) {
    return status.kind() == WaitStatus::Kind::kEvent && status.event() == PTRACE_EVENT_EXIT;
  }

  // A stop, and those the engine comes to while it resumes the task.
  void HandleStops(pid_t tid, WaitStatus status, Nanoseconds end) {
    std::optional<WaitStatus> next = HandleStop(tid, status);
    while (next && sys::MonotonicNow() < end) next = HandleStop(tid, *next);
    if (next) plan_.engine->postponed().Add(tid, *next);
  }

  void HandleEnd(pid_t tid, WaitStatus status) {
    if (tid == child_.program()) {
      if (!child_.has_init()) child_.NoteRootReaped();
      NoteEnd(end_told_.value_or(status.raw()));
      if (started_) NoteRealTime();
      if (!started_) NoteFailedStart();
      // Its init may have ended by a failure of ours, and taken it along.
      if (started_ && !ending_ && seen_.signal == SIGKILL) failure_ = child_.Failure();
      program_ended_ = true;
      Reap(tid);
      KillAll();
      return;
    }
    if (tid == child_.root()) {
      root_ended_ = true;
      child_.NoteRootReaped();
    }
    const bool is_process = tasks_.IsProcess(tid);
    Reap(tid);
    if (is_process && child_.init_stays()) child_.Reap();
  }

  std::optional<WaitStatus> HandleStop(pid_t tid, const WaitStatus& status) {
    switch (status.kind()) {
      case WaitStatus::Kind::kEvent: return HandleEvent(tid, status);
      case WaitStatus::Kind::kGroupStop: return HandleGroupStop(tid);
      case WaitStatus::Kind::kSignalStop:
        if (plan_.engine->TakesStop(tid, status)) return ResumeUnlessViolated(tid, 0);
        NoteSignal(tid, status.signal());
        return ResumeUnlessViolated(tid, status.signal());
      default: return plan_.engine->Resume(tid, 0);
    }
  }

  std::optional<WaitStatus> HandleGroupStop(pid_t tid) {
    if (OnNewTask(tid, -1)) {
      StopAgain(tid);  // when it has begun
      return ResumeUnlessViolated(tid, 0);
    }
    plan_.engine->OnStopped(tid);
    ResumeIfStopped(PTRACE_LISTEN, tid, 0);
    return std::nullopt;
  }

  std::optional<WaitStatus> ResumeUnlessViolated(pid_t tid, int signal) {
    if (!plan_.engine->violation().empty()) return Obey(std::nullopt);
    return Obey(plan_.engine->Resume(tid, signal));
  }

  // The engine's own rules are rules too.
  std::optional<WaitStatus> Obey(std::optional<WaitStatus> next) {
    const std::string violation = plan_.engine->violation();
    if (violation.empty()) return next;
    if (!seen_.not_translated) seen_.not_translated = violation;
    End(std::nullopt);
    return std::nullopt;
  }

  std::optional<WaitStatus> HandleEvent(pid_t tid, const WaitStatus& status) {
    std::uint64_t message = 0;
    switch (status.event()) {
      case PTRACE_EVENT_SECCOMP: return HandleSeccompStop(tid);
      case PTRACE_EVENT_EXEC:
        if (!OnExec(tid)) return std::nullopt;
        break;
      case PTRACE_EVENT_FORK:
      case PTRACE_EVENT_VFORK:
      case PTRACE_EVENT_CLONE:
        if (EventMessage(tid, &message)) OnNewTask(static_cast<pid_t>(message), tid);
        if (IsHeldFor(static_cast<pid_t>(message), tid, status)) return std::nullopt;
        break;
      case PTRACE_EVENT_STOP:
        OnNewTask(tid, -1);
        if (IsHeldFor(tid, tid, status)) return std::nullopt;
        break;
      case PTRACE_EVENT_EXIT:
        tasks_.NoteExiting(tid);
        plan_.engine->OnExitStop(tid);
        if (!started_ && tid == child_.program()) segments_ = SizeOfSegments(tid);
        if (started_) ReadEndOf(tid);
        if (started_) limits_.NoteExit(tid);
        if (started_ && tid == child_.program()) seen_.ended = sys::MonotonicNow();
        if (tid == child_.program()) EndInitBeside(tid);
        ResumeIfStopped(PTRACE_CONT, tid, 0);
        return std::nullopt;
      default: break;
    }
    return ResumeUnlessViolated(tid, 0);
  }

  // An init that has nothing more to do takes its time to end, for its namespaces end with it: beside the program's own end
  // there is nothing to wait for. It kills all in its namespace; what the program ends with is known by now (ptrace(2),
  // PTRACE_EVENT_EXIT), where an old kernel would still take the kill for it.
  void EndInitBeside(pid_t program) {
    std::uint64_t status = 0;
    if (!started_ || plan_.permissions.processes || !child_.has_init() || child_.init_stays()) return;
    if (!EventMessage(program, &status)) return;
    end_told_ = static_cast<int>(status);
    child_.KillRoot();
  }

  void ReadEndOf(pid_t process) {
    const std::optional<std::string> status = ReadProcStatus(process);
    if (!status) return;
    plan_.memory->OnExitStop(process, *status);
    if (plan_.switches != nullptr) plan_.switches->Read(*status);
  }

  void NoteRealTime() {
    limits_.NoteDelay();
    seen_.wall = limits_.Wall();
    seen_.not_its_own.standstill = limits_.standstill();
    // Whether it is worth looking: a limit that was kept is kept, whatever the program waited for.
    if (plan_.limits.wall_time && seen_.wall > *plan_.limits.wall_time) seen_.not_its_own.waited = limits_.Waited();
  }

  void NoteEnd(int status) {
    if (WIFEXITED(status)) {
      seen_.exit_code = WEXITSTATUS(status);
    } else {
      seen_.signal = WTERMSIG(status);
    }
  }

  // False: it was not allowed, and the new program never begins.
  bool OnExec(pid_t tid) {
    if (started_ && !plan_.permissions.processes) {
      // It used the path of its own start (kLaunchPath), which the filter lets through.
      if (!seen_.forbidden_call) seen_.forbidden_call = ForbiddenCall{"execve", SYS_execve};
      End(std::nullopt);
      return false;
    }
    if (started_) {
      OnLaterExec(tid);
      return true;
    }
    started_ = true;
    try {
      plan_.engine->OnExec(tid);
    } catch (const NoRoomInProgram&) {
      // The program's own segments fill its address space, and leave none of what the limit has for the engine.
      if (!plan_.limits.memory) throw;
      limits_.Begin();
      seen_.allocation_refused = true;
      End(std::nullopt);
      return false;
    }
    limits_.Begin();
    plan_.engine->ReturnBy(limits_.next());
    tasks_.BeginCounting(tid);
    return true;
  }

  void OnLaterExec(pid_t tid) {
    std::uint64_t former = 0;
    if (EventMessage(tid, &former) && tasks_.NoteExec(tid, static_cast<pid_t>(former))) {
      plan_.engine->OnReaped(static_cast<pid_t>(former));
    }
    plan_.engine->OnExec(tid);
  }

  // `parent` is -1 when the task itself was seen first. False: it is known, or has ended before we got to see it.
  bool OnNewTask(pid_t tid, pid_t parent) {
    const std::size_t before = tasks_.size();
    if (!tasks_.AddNew(tid, parent)) return false;
    seen_.several_tasks = true;
    plan_.engine->OnNewTask(tid, parent);
    if (tasks_.size() > before) process_limit_.OnNewTask(tid);
    if (plan_.limits.threads_only && tasks_.HasSeveralProcesses()) End(LimitKind::kSecondProcess);
    return true;
  }

  // At a stop of `tid` that tells of `task`.
  bool IsHeldFor(pid_t task, pid_t tid, const WaitStatus& stop) {
    switch (process_limit_.MayGoOn(task)) {
      case ProcessLimit::Answer::kGoOn: return false;
      case ProcessLimit::Answer::kHold: plan_.engine->postponed().Hold(tid, stop); break;
      case ProcessLimit::Answer::kExceeded: End(LimitKind::kProcesses); break;
    }
    return true;
  }

  void NoteSignal(pid_t tid, int signal) {
    if (IsFileSizeSignal(tid, signal)) seen_.file_size_exceeded = true;
    if (IsStackOverflow(tid, signal, plan_.limits.stack)) seen_.stack_exhausted = true;
  }

  // --- system calls that stop ---

  std::optional<WaitStatus> HandleSeccompStop(pid_t tid) {
    StoppedCall call{};
    if (!CurrentCall(tid, &call)) return std::nullopt;
    if (!calls_.Allows(tid, call, started_)) {
      if (!seen_.forbidden_call) seen_.forbidden_call = CallRules::Describe(call);
      End(std::nullopt);
      return std::nullopt;  // never resumed: the call is not executed
    }
    if (started_ && IsToBeMeasured(call)) {
      measured_at_ = traced_calls_;
      return stop_cost_.Measure(tid);
    }
    if (started_) ++traced_calls_;
    if (plan_.memory->CountsSharedMemory()) {
      if (const auto size = SharedMappingIn(tid, call)) plan_.memory->NoteSharedMapping(*size, tasks_.Processes());
    }
    const bool no_such_call = static_cast<TraceCode>(call.code) == TraceCode::kNoSuchCall;
    if (no_such_call && !AnswerCall(tid, -ENOSYS)) return std::nullopt;
    const Nanoseconds slept = limits_.Slept();
    const std::optional<WaitStatus> next = Obey(plan_.engine->ResumeCall(tid, call));
    if (limits_.Slept() != slept) LookAtLimits();
    return next;
  }

  // A program that stops a hundred times and more is measured at some of its stops.
  [[nodiscard]] bool IsToBeMeasured(const StoppedCall& call) const {
    return static_cast<TraceCode>(call.code) == TraceCode::kCount && measured_at_ != traced_calls_ &&
           StopCost::IsDue(traced_calls_, call);
  }

  // A second thread could have the measured one compute where its call was. So of several tasks no more is left out than a stop
  // costs on a slow machine, and no more than the limit.
  [[nodiscard]] NotItsOwn StopsSoFar() const {
    const StopTimes own = plan_.engine->OwnStops();
    NotItsOwn stops{.stops_cpu = stop_cost_.Cpu(traced_calls_), .stops_real = stop_cost_.Real(traced_calls_) + own.real};
    if (plan_.limits.processes > 1 && plan_.limits.cpu_time) {
      const Nanoseconds most_expensive = kMostStopCpu * static_cast<std::int64_t>(traced_calls_);
      stops.stops_cpu = std::min({stops.stops_cpu, most_expensive, *plan_.limits.cpu_time});
    }
    stops.stops_cpu += own.cpu;
    return stops;
  }

  // --- limits ---

  // A stop is no reason to look before a limit can have been passed. A counter's overflow is, and wakes us up as stops do.
  [[nodiscard]] bool CheckIsDue() const {
    return plan_.limits.instructions || !plan_.engine->violation().empty() || sys::MonotonicNow() >= limits_.next();
  }

  void LookAtLimits() {
    if (!started_ || ending_) return;
    const std::optional<LimitKind> passed = limits_.Check(StopsSoFar());
    plan_.engine->ReturnBy(limits_.next());
    if (!plan_.engine->violation().empty()) {
      Obey(std::nullopt);
    } else if (passed) {
      End(*passed);
    }
  }

  void End(std::optional<LimitKind> why) {
    if (ending_) return;
    seen_.ended_for = why;
    if (!why) child_.KillRoot();  // who breaks rules leaves no init behind
    if (started_) {
      for (const pid_t process : tasks_.Processes()) ReadEndOf(process);
    }
    KillAll();
  }

  // The processes first, and not by init's end, which comes when it is init's turn. Where init stays there is nothing of which we do not
  // know (reused_init.h), but after a program that was ended while it could start others; one that did not begin may still have said
  // something to us.
  void KillAll() {
    ending_ = true;
    limits_.Stop();
    plan_.engine->ReturnBy(Nanoseconds(0));  // it lets nobody go on any more
    tasks_.KillAll();
    const bool may_hide_some = plan_.permissions.processes && !program_ended_;
    if (!started_ || !child_.init_stays() || may_hide_some) child_.KillRoot();
  }

  // --- beginning and end ---

  // Init ends only when its namespace is empty, reaped by us where we are the tracer (zap_pid_ns_processes). A
  // program that could have no children leaves only init itself, which is killed, holds nothing, and takes down
  // its namespaces while we go on; Sandbox waits for it. Without init there may be processes that nobody has told us of.
  [[nodiscard]] bool Finished() {
    if (!program_ended_) return false;
    if (child_.has_init() && !plan_.permissions.processes) return tasks_.empty();
    if (child_.has_init()) return child_.init_stays() ? tasks_.empty() && IsEmptyOrEnds() : root_ended_;
    return tasks_.empty() && !(plan_.permissions.processes && tasks_.KillStragglers());
  }

  // A process that was killed before we heard of it is still in there. Then init ends, and it with it. Who made a task stops at that,
  // but for a SIGKILL (ptrace(2)): of a program that made none and went by itself there is nothing to ask.
  [[nodiscard]] bool IsEmptyOrEnds() {
    const bool was_alone = !seen_.several_tasks && seen_.exit_code;
    if (was_alone || child_.IsEmpty()) return true;
    child_.KillRoot();
    return false;
  }

  // The program died before its first instruction: a step of ours failed, the kernel refused the file, or it
  // gave up loading it half-way (then there is no message).
  void NoteFailedStart() {
    failure_ = child_.Failure();
    died_loading_ = !failure_ && seen_.signal && !ending_;
  }

  Observations Finish() {
    plan_.engine->OnRunOver();
    if (failure_ && failure_->at_execve) {
      throw CannotExecute(ErrnoText(failure_->error), failure_->error);
    }
    if (failure_) throw SystemError(failure_->step, failure_->error);
    if (died_loading_ && DoNotFit(segments_, plan_.limits.memory)) seen_.allocation_refused = true;
    plan_.ForEachPump([](OutputPump* pump) { pump->Drain(); });
    if (plan_.pump != nullptr) seen_.output = plan_.pump->moved();
    seen_.error_output_exceeded = plan_.error_pump != nullptr && plan_.error_pump->over_limit();
    seen_.cpu = tasks_.Cpu();
    seen_.not_its_own.stops_cpu = StopsSoFar().stops_cpu;
    seen_.not_its_own.stops_real = StopsSoFar().stops_real;
    if (calls_.allocation_refused()) seen_.allocation_refused = true;
    plan_.memory->SetEngineMemory(plan_.engine->OwnMemory());
    MemoryFigures memory = plan_.memory->Finish({seen_.signal, seen_.several_tasks});
    seen_.memory = std::move(memory.peak);
    seen_.out_of_memory_kill = memory.out_of_memory_kill;
    if (plan_.switches != nullptr) {
      seen_.resident = plan_.switches->resident(plan_.engine->OwnMemory().resident);
      seen_.switches = plan_.switches->switches();
    }
    seen_.instructions = plan_.engine->Count();
    plan_.engine->CompareCount(seen_.cpu.total());
    if (const std::string why = plan_.engine->violation(); !why.empty()) seen_.not_translated = why;
    seen_.syscalls = Syscalls();
    return seen_;
  }

  [[nodiscard]] Measured<std::uint64_t> Syscalls() const {
    if (plan_.count_by_engine) return plan_.engine->SystemCalls();
    if (plan_.syscalls != nullptr) return plan_.syscalls->Read();
    if (plan_.count_by_trace) return traced_calls_;
    return Measured<std::uint64_t>::Absent(plan_.no_syscalls_reason);
  }

  const WatchPlan& plan_;
  Child& child_;
  Tasks& tasks_;
  Observations seen_;
  TaskEvents events_{tasks_, &plan_.engine->postponed()};
  CallRules calls_;
  LimitWatch limits_;
  WakeUps wake_ups_;
  ProcessLimit process_limit_;
  bool more_stops_ = false;  // there may be some that were not handled yet
  std::uint64_t traced_calls_ = 0;
  Nanoseconds slept_{0};  // by all, when the limits were last looked at for it
  std::uint64_t measured_at_ = 0;  // so many calls had been made at the last measurement
  StopCost stop_cost_;
  std::optional<SetupFailure> failure_;
  bool started_ = false;        // the program has begun
  bool ending_ = false;         // it is to end
  std::optional<int> end_told_;  // the main process is about to end so (wait(2))
  bool program_ended_ = false;  // its main process has
  bool root_ended_ = false;     // so has init
  bool died_loading_ = false;
  std::optional<Bytes> segments_;  // of a program that dies before it begins
};

}  // namespace

unsigned long TraceOptions(const WatchPlan& plan) {
  unsigned long options =
      PTRACE_O_TRACEEXEC | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXIT;
  if (plan.permissions.processes) {
    options |= PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEVFORKDONE;
  }
  return options;
}

Observations Watch(const WatchPlan& plan, Child* child, Tasks* tasks) { return Watcher(plan, child, tasks).Run(); }

}  // namespace tally
