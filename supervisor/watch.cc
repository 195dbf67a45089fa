#include "supervisor/watch.h"

#include <fmt/format.h>
#include <linux/audit.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/sys.h"
#include "supervisor/cannot_execute.h"
#include "supervisor/cpu_clock.h"
#include "supervisor/deadlines.h"
#include "supervisor/machine/virtual_machine.h"
#include "supervisor/proc_status.h"
#include "supervisor/seccomp/policy.h"
#include "supervisor/seccomp/trace_codes.h"
#include "supervisor/tracee.h"

namespace tally {
namespace {

constexpr int kInterrupts[] = {SIGINT, SIGTERM, SIGHUP};

// Blocked for the life of the process: they are read from the signalfd instead. So an interrupt ends a run at
// once, and between runs waits for the next one.
int SignalDescriptor() {
  static const Fd descriptor = [] {
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGCHLD);
    ::sigaddset(&set, SIGIO);
    for (const int signal : kInterrupts) ::sigaddset(&set, signal);
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    ::signal(SIGPIPE, SIG_IGN);  // a reader of ours that goes away is an error of write(2)
    Fd fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!fd.valid()) throw SystemError("signalfd", errno);
    return fd;
  }();
  return descriptor.get();
}

// What a stop of ours can cost the program in real and system time, generously (4 us measured): the limits on
// those two move up by it, so that counting system calls never costs a verdict. User time is not touched.
constexpr Nanoseconds kStopAllowance = std::chrono::microseconds(10);

std::string Describe(Abi abi, const StoppedCall& call) {
  const auto& a = call.arguments;
  return fmt::format("{}({}, {}, {}, {}, {}, {})", SyscallName(abi, call.number), a[0], a[1], a[2], a[3], a[4], a[5]);
}

Abi AbiOf(const StoppedCall& call) {
  if (call.arch != AUDIT_ARCH_X86_64) return Abi::kI386;
  return (call.number & 0x40000000) != 0 ? Abi::kX32 : Abi::kX86_64;
}

// For how long stops are handled before the limits are looked at: a program that stops all the time is to pass none.
constexpr Nanoseconds kLongestHandling = Milliseconds(5);

// glibc reads a file for it, every time.
unsigned Cores() {
  static const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  return cores;
}

class Watcher {
 public:
  Watcher(const WatchPlan& plan, const Child& child)
      : plan_(plan), limits_(plan.limits), child_(child), cores_(Cores()) {}

  Observations Run() {
    const int signals = SignalDescriptor();
    Add(child_.program(), child_.program(), true);
    child_.Go();
    for (;;) {
      HandlePendingStops();
      if (Finished()) break;
      if (plan_.pump != nullptr) plan_.pump->Move();
      LookAtLimits();
      Wait(signals);
    }
    return Finish();
  }

 private:
  struct Task {
    pid_t process;
    bool announced;  // its parent's event was seen; its own first stop may come before
    bool exiting = false;
  };
  struct Process {
    CpuClocks baseline;  // spent before execve, on set-up
    int tasks = 0;
  };

  // --- the table of tasks ---

  void Add(pid_t tid, pid_t process, bool announced) {
    if (!tasks_.emplace(tid, Task{process, announced}).second) return;
    ++processes_[process].tasks;
  }

  // A task has ended: read its process's clocks for the last time if it was the last one, then reap it.
  void Reap(pid_t tid) {
    const auto found = tasks_.find(tid);
    if (found != tasks_.end()) {
      const pid_t process = found->second.process;
      if (!found->second.announced) ended_unannounced_.insert(tid);
      if (found->second.exiting) --exiting_;
      tasks_.erase(found);
      Process& owner = processes_[process];
      if (tid == process) {
        if (const auto clocks = ReadCpuClocks(process)) finished_cpu_.push_back(*clocks - owner.baseline);
      }
      if (--owner.tasks == 0) processes_.erase(process);
      plan_.engine->OnGone(tid);
    }
    ::waitpid(tid, nullptr, __WALL | WNOHANG);
  }

  [[nodiscard]] CpuTime Cpu() const {
    CpuTime sum;
    const auto add = [&sum](const CpuClocks& clocks) {
      const CpuTime split = clocks.Split();
      sum.user += split.user;
      sum.system += split.system;
    };
    for (const CpuClocks& clocks : finished_cpu_) add(clocks);
    for (const auto& [process, state] : processes_) {
      if (const auto clocks = ReadCpuClocks(process)) add(*clocks - state.baseline);
    }
    return sum;
  }

  // --- stops ---

  // Stops first: they are many. An end is only looked at here, and reaped after the clocks were read.
  void HandlePendingStops() {
    more_stops_ = true;
    const Nanoseconds end = sys::MonotonicNow() + kLongestHandling;
    if (unhandled_) {
      const auto [tid, status] = *unhandled_;
      unhandled_.reset();
      HandleStops(tid, status, end);
    }
    while (!unhandled_ && sys::MonotonicNow() < end) {
      if (const auto postponed = plan_.engine->NextPostponed()) {
        HandleStops(postponed->first, postponed->second, end);
        continue;
      }
      siginfo_t info{};
      if (::waitid(P_ALL, 0, &info, WSTOPPED | WNOHANG | __WALL) == 0 && info.si_pid != 0) {
        HandleStops(info.si_pid, WaitStatus::FromStop(info.si_status), end);
        continue;
      }
      info = {};
      if (::waitid(P_ALL, 0, &info, WEXITED | WNOWAIT | WNOHANG | __WALL) != 0 || info.si_pid == 0) {
        more_stops_ = false;
        return;
      }
      // A tracer is told of stops whatever it asked for (kernel/exit.c, wait_task_stopped): one that came between
      // the two calls is taken by the first, next time round.
      const bool ended = info.si_code == CLD_EXITED || info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED;
      if (ended) HandleEnd(info.si_pid, info);
    }
  }

  // A stop, and those the engine comes to while it resumes the task.
  void HandleStops(pid_t tid, WaitStatus status, Nanoseconds end) {
    std::optional<WaitStatus> next = HandleStop(tid, status);
    while (next && sys::MonotonicNow() < end) next = HandleStop(tid, *next);
    if (next) unhandled_ = {tid, *next};
  }

  void HandleEnd(pid_t tid, const siginfo_t& info) {
    if (tid == child_.program()) {
      if (info.si_code == CLD_EXITED) {
        seen_.exit_code = info.si_status;
      } else {
        seen_.signal = info.si_status;
      }
      if (started_) seen_.wall = sys::MonotonicNow() - start_ + Slept();
      if (!started_) NoteFailedStart();
      program_ended_ = true;
      Reap(tid);
      KillAll();
      return;
    }
    if (tid == child_.root()) root_ended_ = true;
    Reap(tid);
  }

  std::optional<WaitStatus> HandleStop(pid_t tid, const WaitStatus& status) {
    switch (status.kind()) {
      case WaitStatus::Kind::kEvent: return HandleEvent(tid, status.event());
      case WaitStatus::Kind::kGroupStop:
        ResumeIfStopped(PTRACE_LISTEN, tid, 0);
        return std::nullopt;
      case WaitStatus::Kind::kSignalStop:
        if (plan_.engine->TakesStop(tid, status)) return ResumeUnlessViolated(tid, 0);
        NoteSignal(tid, status.signal());
        return ResumeUnlessViolated(tid, status.signal());
      default: return plan_.engine->Resume(tid, 0);
    }
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

  std::optional<WaitStatus> HandleEvent(pid_t tid, int event) {
    std::uint64_t message = 0;
    switch (event) {
      case PTRACE_EVENT_SECCOMP: return HandleSeccompStop(tid);
      case PTRACE_EVENT_EXEC:
        if (!OnExec(tid)) return std::nullopt;
        break;
      case PTRACE_EVENT_FORK:
      case PTRACE_EVENT_VFORK:
      case PTRACE_EVENT_CLONE:
        if (EventMessage(tid, &message)) OnAnnounced(static_cast<pid_t>(message), tid);
        break;
      case PTRACE_EVENT_STOP: OnNewTask(tid, -1); break;
      case PTRACE_EVENT_EXIT:
        if (const auto found = tasks_.find(tid); found != tasks_.end() && !std::exchange(found->second.exiting, true)) {
          ++exiting_;
        }
        plan_.engine->OnExitStop(tid);
        if (started_) plan_.memory->OnExitStop(tid);
        ResumeIfStopped(PTRACE_CONT, tid, 0);
        return std::nullopt;
      default: break;
    }
    return ResumeUnlessViolated(tid, 0);
  }

  // False: it was not allowed, and the new program never begins.
  bool OnExec(pid_t tid) {
    if (started_ && !plan_.permissions.processes) {
      // It used the path of its own start (kLaunchPath), which the filter lets through.
      if (!seen_.forbidden_call) seen_.forbidden_call = "execve";
      End(std::nullopt);
      return false;
    }
    if (started_) {
      OnLaterExec(tid);
      return true;
    }
    started_ = true;
    start_ = sys::MonotonicNow();
    try {
      plan_.engine->OnExec(tid);
    } catch (const SystemError& error) {
      // The program's own segments fill its address space, and leave none of what the limit has for the engine.
      if (error.error() != ENOMEM || !plan_.limits.memory) throw;
      seen_.allocation_refused = true;
      End(std::nullopt);
      return false;
    }
    start_ = sys::MonotonicNow();
    if (const auto clocks = ReadCpuClocks(tid)) processes_[tid].baseline = *clocks;
    return true;
  }

  // execve by a thread that is not the leader: the leader's id passes to it, and the others are gone without
  // an end of their own (ptrace(2), "execve(2) under ptrace").
  void OnLaterExec(pid_t tid) {
    std::uint64_t former = 0;
    if (EventMessage(tid, &former) && static_cast<pid_t>(former) != tid) Forget(static_cast<pid_t>(former));
    plan_.engine->OnExec(tid);
  }

  void Forget(pid_t tid) {
    const auto found = tasks_.find(tid);
    if (found == tasks_.end()) return;
    --processes_[found->second.process].tasks;
    if (found->second.exiting) --exiting_;
    tasks_.erase(found);
    plan_.engine->OnGone(tid);
  }

  // A parent's event. The new task may have stopped, run and even ended before we got to see it.
  void OnAnnounced(pid_t tid, pid_t parent) {
    if (ended_unannounced_.erase(tid) != 0) return;
    OnNewTask(tid, parent);
  }

  // `parent` is -1 when the task itself was seen first.
  void OnNewTask(pid_t tid, pid_t parent) {
    const auto found = tasks_.find(tid);
    if (found != tasks_.end() && (parent < 0 || found->second.announced)) return;
    if (found != tasks_.end()) {
      found->second.announced = true;
    } else {
      Add(tid, ProcessOf(tid), parent >= 0);
    }
    seen_.several_tasks = true;
    plan_.engine->OnNewTask(tid, parent);
    // One that is at its end counts no more: its parent may have joined it already and made the next.
    if (tasks_.size() - exiting_ > plan_.limits.processes) End(LimitKind::kProcesses);
  }

  static pid_t ProcessOf(pid_t tid) {
    return static_cast<pid_t>(ProcStatusNumber(tid, "Tgid").value_or(static_cast<std::uint64_t>(tid)));
  }

  void NoteSignal(pid_t tid, int signal) {
    if (signal == SIGXFSZ && !IsRaised(tid)) seen_.file_size_exceeded = true;
    if (signal == SIGSEGV && StackIsFull(tid)) seen_.stack_exhausted = true;
  }

  // By raise(3), and not by the kernel.
  static bool IsRaised(pid_t tid) {
    siginfo_t info{};
    return ::ptrace(PTRACE_GETSIGINFO, tid, nullptr, &info) == 0 && info.si_code == SI_TKILL;
  }

  // Did this SIGSEGV hit the page below a stack that has reached its limit?
  bool StackIsFull(pid_t tid) const {
    if (!plan_.limits.stack) return false;
    siginfo_t info{};
    user_regs_struct registers{};
    if (::ptrace(PTRACE_GETSIGINFO, tid, nullptr, &info) != 0 || !Registers(tid, &registers)) return false;
    const auto address = reinterpret_cast<std::uint64_t>(info.si_addr);
    constexpr std::uint64_t kNear = 64 << 10;  // a frame's worth
    if (address + kNear < registers.rsp || address > registers.rsp + kNear) return false;
    const std::optional<Bytes> stack = ProcStatusBytes(tid, "VmStk");
    return stack && stack->count + 2 * kNear >= plan_.limits.stack->count;
  }

  // --- system calls that stop ---

  std::optional<WaitStatus> HandleSeccompStop(pid_t tid) {
    StoppedCall call{};
    if (!CurrentCall(tid, &call)) return std::nullopt;
    const auto code = static_cast<TraceCode>(call.code);
    if (!IsAllowed(tid, code, call)) {
      if (!seen_.forbidden_call) seen_.forbidden_call = Describe(AbiOf(call), call);
      End(std::nullopt);
      return std::nullopt;  // never resumed: the call is not executed
    }
    if (started_) ++traced_calls_;
    if (code == TraceCode::kNoSuchCall && !AnswerCall(tid, -ENOSYS)) return std::nullopt;
    const Nanoseconds slept = Slept();
    const std::optional<WaitStatus> next = Obey(plan_.engine->ResumeCall(tid, call));
    if (Slept() != slept) LookAtLimits();
    return next;
  }

  bool IsAllowed(pid_t tid, TraceCode code, const StoppedCall& call) {
    switch (code) {
      case TraceCode::kExec: return !started_ || plan_.permissions.processes;
      case TraceCode::kSignal: return IsToItself(tid, call);
      case TraceCode::kAllocation: {
        const Bytes size{call.arguments[call.number == SYS_mremap && AbiOf(call) == Abi::kX86_64 ? 2 : 1]};
        if (plan_.memory->RefusesAllocation(tid, size)) seen_.allocation_refused = true;
        return true;
      }
      case TraceCode::kCount:
      case TraceCode::kNoSuchCall:
      case TraceCode::kEngine: return true;
      case TraceCode::kForbidden:
      case TraceCode::kForeignAbi: return false;
    }
    return false;
  }

  // kill, tkill, tgkill: the first argument is the program's own id in its namespace.
  bool IsToItself(pid_t tid, const StoppedCall& call) {
    const auto target = static_cast<std::int32_t>(call.arguments[0]);
    if (own_id_ == 0) own_id_ = static_cast<pid_t>(ProcStatusNumber(tid, "NSpid").value_or(0));
    return target == own_id_;
  }

  // --- limits ---

  [[nodiscard]] Usage Sample() {
    Usage usage;
    const Measured<Instructions> count = plan_.engine->Count();
    usage.cpu = Cpu();
    plan_.engine->CompareCount(usage.cpu.total());
    usage.wall = sys::MonotonicNow() - start_;
    usage.idle = idle_.Look(usage.wall, usage.cpu.total());
    usage.wall += Slept();
    if (plan_.pump != nullptr && plan_.pump->waits_for_reader()) {
      idle_ = IdleWatch();  // it waits for our reader, not for itself
      usage.idle = Nanoseconds(0);
    }
    const VirtualMachine* const machine = plan_.engine->machine();
    if (machine != nullptr && plan_.limits.idle_time && machine->clock().longest_sleep() >= *plan_.limits.idle_time) {
      usage.idle = machine->clock().longest_sleep();
    }
    if (plan_.limits.instructions && count.has_value()) usage.instructions = count.value();
    if (plan_.limits.memory) {
      for (const auto& [process, state] : processes_) {
        if (const auto memory = plan_.memory->Look(process)) {
          usage.memory = std::max(usage.memory.value_or(Bytes{}), *memory);
        }
      }
    }
    return usage;
  }

  // Sleep that took no time counts as if it had.
  [[nodiscard]] Nanoseconds Slept() const {
    const VirtualMachine* const machine = plan_.engine->machine();
    return machine != nullptr ? machine->clock().slept() : Nanoseconds(0);
  }

  void LookAtLimits() {
    next_look_ = kLongestLook;
    if (!started_ || ending_) return;
    if (plan_.pump != nullptr && plan_.pump->over_limit()) {
      End(LimitKind::kOutput);
      return;
    }
    if (plan_.limits.wall_time) limits_.wall_time = *plan_.limits.wall_time + StopAllowance();
    if (plan_.limits.cpu_time) limits_.cpu_time = *plan_.limits.cpu_time + StopAllowance();
    const Usage usage = Sample();
    if (!plan_.engine->violation().empty()) {
      Obey(std::nullopt);
      return;
    }
    if (const std::optional<LimitKind> passed = PassedLimit(limits_, usage)) {
      End(*passed);
      return;
    }
    next_look_ = NextLook(limits_, usage, std::min(plan_.limits.processes, cores_));
  }

  [[nodiscard]] Nanoseconds StopAllowance() const {
    return kStopAllowance * static_cast<std::int64_t>(traced_calls_);
  }

  void End(std::optional<LimitKind> why) {
    if (ending_) return;
    seen_.ended_for = why;
    if (started_) {
      for (const auto& [process, state] : processes_) plan_.memory->OnExitStop(process);
    }
    KillAll();
  }

  void KillAll() {
    ending_ = true;
    ::kill(child_.root(), SIGKILL);
    if (!child_.has_init()) {
      for (const auto& [tid, task] : tasks_) ::kill(task.process, SIGKILL);
    }
  }

  // --- beginning and end ---

  void Wait(int signals) {
    fds_.clear();
    fds_.push_back({signals, POLLIN, 0});
    if (plan_.pump != nullptr) plan_.pump->AddTo(&fds_);
    const Nanoseconds longest = more_stops_ ? Nanoseconds(0) : next_look_;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(longest);
    const timespec timeout{seconds.count(), (longest - seconds).count()};
    if (::ppoll(fds_.data(), fds_.size(), &timeout, nullptr) < 0 && errno != EINTR) {
      throw SystemError("ppoll", errno);
    }
    signalfd_siginfo signal{};
    while (::read(signals, &signal, sizeof signal) == static_cast<ssize_t>(sizeof signal)) {
      const auto number = static_cast<int>(signal.ssi_signo);
      if (number != SIGCHLD && number != SIGIO) throw Interrupted{number};
    }
  }

  // Init ends only when its namespace is empty, reaped by us where we are the tracer (zap_pid_ns_processes). A
  // program that could have no children leaves only init itself, which is killed, holds nothing, and takes down
  // its namespaces while we go on; Sandbox waits for it.
  [[nodiscard]] bool Finished() const {
    if (!program_ended_) return false;
    return child_.has_init() && plan_.permissions.processes ? root_ended_ : tasks_.empty();
  }

  // The program died before its first instruction: a step of ours failed, the kernel refused the file, or it
  // gave up loading it half-way (then there is no message).
  void NoteFailedStart() {
    failure_ = child_.Failure();
    died_loading_ = !failure_ && seen_.signal && !ending_;
  }

  Observations Finish() {
    if (failure_ && failure_->at_execve) {
      throw CannotExecute(ErrnoText(failure_->error), failure_->error);
    }
    if (failure_) throw SystemError(failure_->step, failure_->error);
    if (died_loading_) {
      if (!plan_.limits.memory) throw CannotExecute("the kernel gave up while mapping it", 0);
      seen_.allocation_refused = true;  // its segments do not fit
    }
    if (plan_.pump != nullptr) {
      plan_.pump->Drain();
      seen_.output = plan_.pump->moved();
    }
    seen_.cpu = Cpu();
    seen_.stop_allowance = StopAllowance();
    plan_.memory->SetEngineMemory(plan_.engine->OwnMemory());
    plan_.memory->Finish(&seen_);
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
  Limits limits_;  // the plan's, with the allowance for our stops
  const Child& child_;
  unsigned cores_;
  Observations seen_;

  std::unordered_map<pid_t, Task> tasks_;
  std::unordered_map<pid_t, Process> processes_;
  std::size_t exiting_ = 0;  // of them
  std::unordered_set<pid_t> ended_unannounced_;
  std::vector<CpuClocks> finished_cpu_;
  bool more_stops_ = false;  // there may be stops that were not handled yet
  std::optional<std::pair<pid_t, WaitStatus>> unhandled_;  // a stop that was taken off the kernel's list already
  std::vector<pollfd> fds_;
  IdleWatch idle_;
  Nanoseconds start_{0};
  Nanoseconds next_look_{kLongestLook};
  std::uint64_t traced_calls_ = 0;
  pid_t own_id_ = 0;
  std::optional<SetupFailure> failure_;
  bool started_ = false;        // the program has begun
  bool ending_ = false;         // it is to end
  bool program_ended_ = false;  // its main process has
  bool root_ended_ = false;     // so has init
  bool died_loading_ = false;
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

Observations Watch(const WatchPlan& plan, const Child& child) { return Watcher(plan, child).Run(); }

}  // namespace tally
