#include "supervisor/translator/guest/translated_engine.h"

#include <fmt/format.h>
#include <linux/kcmp.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "base/error.h"
#include "supervisor/resources/proc_status.h"
#include "supervisor/sandbox/child_setup.h"
#include "supervisor/sandbox/sandbox.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/tracing/one_processor.h"
#include "supervisor/tracing/tracee.h"
#include "supervisor/tracing/waits.h"
#include "supervisor/translator/guest/call_filter.h"
#include "supervisor/translator/guest/call_watch.h"
#include "supervisor/translator/guest/count_check.h"
#include "supervisor/translator/guest/guest_start.h"
#include "supervisor/translator/guest/guests.h"
#include "supervisor/translator/guest/own_ranges.h"
#include "supervisor/translator/turns/turn_scheduler.h"

namespace tally {
namespace {

// Can a program find a /proc there?
bool HasProc(const Sandbox& sandbox) {
  if (sandbox.isolation() != Isolation::kFull) return true;
  const auto& mounts = sandbox.spec().mounts;
  return std::any_of(mounts.begin(), mounts.end(), [](const Mount& mount) { return mount.kind == MountKind::kProc; });
}

class TranslatedEngine : public Engine {
 public:
  explicit TranslatedEngine(const RunRequest& request) : run_(request, &postponed()), guests_(&run_) {
    if (run_.call_observer != nullptr) calls_.emplace(run_.call_observer);
    if (run_.may_take_turns) turns_.emplace(&run_, &guests_, request.virtual_cpu.schedule_seed);
  }

  [[nodiscard]] std::string name() const override { return "translated"; }
  [[nodiscard]] std::string counter() const override { return "translator"; }
  [[nodiscard]] std::string violation() const override {
    return run_.violation.empty() ? check_.why() : run_.violation;
  }

  void PrepareChild(ChildPlan* plan) override {
    filter_ = TranslatorCallFilter(run_.proof);
    plan->filters.push_back(filter_);
    plan->filters.push_back(OwnRangesFilter());
    if (calls_) plan->filters.push_back(NamingCallFilter());
    run_.hides_in_proc = HasProc(*plan->sandbox);
    if (run_.hides_in_proc) plan->filters.push_back(PathCallFilter());
    plan->filters.push_back(run_.machine.calls().filter());
    for (const PlacedFile& file : plan->sandbox->files()) run_.machine.calls().files().Place(file.host_path);
    plan->address_randomization = !run_.machine.Has(VirtualRule::kAddresses);
  }

  void OnExec(pid_t tid) override {
    guests_.EndBurst();
    if (turns_ && !executed_) turns_->NoteOutside(tid);
    if (!executed_) run_.machine.calls().files().Begin(tid);
    executed_ = true;
    if (calls_) {
      calls_->Began(tid);
      calls_->Stands(tid);
    }
    if (Guest* const before = guests_.Find(tid); before != nullptr) before->LeaveByExec();
    guests_.Remove(tid);  // what it executed before stays counted
    if (run_.takes_turns) turns_->Executed(tid);
    // The kernel writes execve's result into rax after the exec stop; behind the call's exit the registers are ours.
    if (!ResumeIfStopped(PTRACE_SYSCALL, tid, 0)) return;
    const std::optional<WaitStatus> status = AwaitStop(tid);
    if (!status || status->kind() != WaitStatus::Kind::kSyscallStop) return;
    const bool begins = AddIf(tid, [&](Guest* guest) { guest->BeginProgram(); });
    if (begins && turns_ && !run_.takes_turns && run_.options.turn != 0) {
      Guest* const guest = guests_.FindToAct(tid);
      guests_.Guarded([&] { turns_->Begin(guest, [guest] { guest->TakeTurns(); }); });
    }
  }

  // The parent is stopped in the call that made it.
  void OnNewTask(pid_t tid, pid_t parent_tid) override {
    guests_.EndBurst();
    if (calls_) calls_->Stands(parent_tid);
    Guest* const parent = guests_.Find(parent_tid);
    if (parent == nullptr) {
      guests_.unannounced.insert(tid);
      return;
    }
    if (guests_.unannounced.erase(tid) == 0) {
      const std::optional<WaitStatus> first = AwaitStop(tid);
      if (!first) return;
      if (first->kind() == WaitStatus::Kind::kGroupStop) StopAgain(tid);
    }
    AllowProcessorsOf(parent_tid, tid);  // made in a burst, it was left with one
    std::uint64_t flags = 0;
    const auto see_parent = [&] {
      flags = CloneFlags(parent_tid, tid);
      parent->ActAsYourself();
      if (turns_ && !run_.takes_turns) turns_->Begin(parent, [parent] { parent->TakeTurns(); });
    };
    if (!guests_.Guarded(see_parent)) {
      guests_.unannounced.insert(tid);  // its parent is at its end
      return;
    }
    if (!AddIf(tid, [&](Guest* guest) { Begin(guest, parent, flags); })) return;
    if (calls_) {
      calls_->TaskBegan(tid, parent_tid, flags);
      calls_->Stands(tid);
    }
    postponed().Add(tid, WaitStatus::FromStop(SIGTRAP | PTRACE_EVENT_STOP << 8));
  }

  void OnStopped(pid_t tid) override {
    guests_.EndBurst();
    if (calls_) calls_->StopBegan(tid);
    if (run_.takes_turns) turns_->Stopped(tid);
  }

  std::optional<WaitStatus> Resume(pid_t tid, int signal) override {
    if (calls_) calls_->StopEnded(tid);
    Guest* const guest = guests_.Find(tid);
    if (guest == nullptr) {
      // Up to its execve it is our own code. Later: OnNewTask will be told of its parent, or it is at its end.
      if (!executed_) ResumeIfStopped(PTRACE_CONT, tid, signal);
      return std::nullopt;
    }
    if (run_.takes_turns) return turns_->Resume(tid, signal);
    if (const auto stop = guest->TakeOtherStop()) return stop;
    guest->ActAsYourself();
    if (!guests_.Guarded([&] { guest->PassKernelWait(); })) return std::nullopt;
    if (signal != 0 && !guests_.Guarded([&] { signal = guest->PrepareSignal(signal); })) return std::nullopt;
    // A failed execve, and the end of a vfork, must stop before the program goes on.
    const auto how = guest->waits_in_kernel() ? PTRACE_SYSCALL : PTRACE_CONT;
    if (calls_) calls_->GoesOn(tid);
    if (guests_.size() > 1) {
      ResumeIfStopped(how, tid, signal);
      return std::nullopt;
    }
    std::unique_ptr<StopBurst> burst = guests_.TakeBurst(tid);
    while (ResumeIfStopped(how, tid, signal) && !burst->IsLong()) {
      const std::optional<WaitStatus> status = burst->Next();
      if (!status) return status;
      if (calls_) calls_->Stands(tid);
      if (!TakesStop(tid, *status) || !violation().empty()) {
        if (status->kind() == WaitStatus::Kind::kEvent && status->event() == PTRACE_EVENT_SECCOMP) guests_.KeepBurst(std::move(burst));
        return status;
      }
      if (const auto stop = guest->TakeOtherStop()) return stop;
      if (calls_) calls_->GoesOn(tid);
      signal = 0;
    }
    return std::nullopt;
  }

  bool TakesStop(pid_t tid, const WaitStatus& status) override {
    if (calls_) calls_->Stands(tid);
    return guests_.TakesStop(tid, status);
  }

  std::optional<WaitStatus> ResumeCall(pid_t tid, const StoppedCall& call) override {
    if (calls_) calls_->Stands(tid);
    if (Guest* const guest = guests_.FindToAct(tid); guest != nullptr) {
      if (turns_ && !run_.takes_turns && run_.machine.Has(VirtualRule::kTime) && IsAboutTimers(call.number)) {
        const auto begin = [&] { turns_->Begin(guest, [&] { guest->TakeTurnsAt(call); }); };
        return guests_.Guarded(begin) && violation().empty() ? Resume(tid, 0) : std::nullopt;
      }
      using Outcome = VirtualCalls::Outcome;
      const Outcome outcome = run_.machine.calls().Answer(tid, call, run_.counts.Instructions(), run_.takes_turns || guests_.size() == 1);
      if (outcome == Outcome::kTooLong) {
        guests_.EndBurst();
        return std::nullopt;
      }
      // Whether translated code or we answer a question about the time depends on how the program was translated (clock_code.h).
      const bool is_free = guest->space()->translator().clock().QuestionOf(static_cast<std::uint32_t>(call.number)).has_value();
      if (run_.takes_turns && outcome != Outcome::kNotOurs && !is_free) guest->SpendTurn(Turns::kOfCall);
      if (is_free && !guests_.Guarded([&] { guest->SeeFlagsOfQuestion(); })) return std::nullopt;
      guest->NameCall(call);
      const bool waits_in_truth = guests_.size() > 1 && !run_.takes_turns && run_.machine.Has(VirtualRule::kTime);
      const auto handle = [&] {
        if (waits_in_truth) guest->WaitUntil(call);
        guest->HandleCall(call);
      };
      if (outcome != Outcome::kAnswered && !guests_.Guarded(handle)) return std::nullopt;
      SetClocks();  // it may have slept
    }
    return violation().empty() ? Resume(tid, 0) : std::nullopt;
  }

  // What of our memory the program has touched (a program's own shared memory looks the same).
  void OnExitStop(pid_t tid) override {
    guests_.EndBurst();
    const Guest* const guest = guests_.Find(tid);
    if (guest == nullptr) return;
    const CodeSpace& space = *guest->space();
    const Bytes most{space.cache().UsedBytes() + ControlArea::SizeFor(run_.most_tasks, run_.HasLogs())};
    resident_ = std::max(resident_, std::min(ProcStatusBytes(tid, "RssShmem").value_or(Bytes{}), most));
    regions_ = std::max(regions_, space.cache().regions().size());
    if (run_.takes_turns) turns_->AtEnd(tid);
    Remove(tid);  // it executes nothing any more
  }

  void OnRunOver() override {
    guests_.EndBurst();
    while (!guests_.empty()) Remove(guests_.all().begin()->first);
    if (calls_) calls_->RunOver();
  }
  Nanoseconds Check() override {
    if (run_.takes_turns) {
      if (const auto next = turns_->Check()) return *next;
    }
    return calls_ ? calls_->LookAtFreezer() : Nanoseconds::max();
  }

  void OnReaped(pid_t tid) override {
    Remove(tid);
    if (run_.takes_turns) turns_->Gone(tid);
    guests_.unannounced.erase(tid);
    for (const pid_t task : guests_.unannounced) {
      if (IsOrphan(task)) ::kill(task, SIGKILL);
    }
  }

  [[nodiscard]] bool IsDeadlocked() const override { return turns_ && turns_->IsDeadlocked(); }
  [[nodiscard]] std::string WhyTasksVary() const override { return turns_ ? turns_->WhyTurnsVary() : Engine::WhyTasksVary(); }
  [[nodiscard]] std::string WhyProcVaries() const override {
    return run_.saw_in_proc.empty() ? "" : fmt::format("the program opened {}, where some of this machine or of the run can be seen", run_.saw_in_proc);
  }
  void ReturnBy(Nanoseconds when) override { run_.return_by = when; }
  [[nodiscard]] bool HasToKeep() const override { return !run_.begun.empty(); }
  void Keep() override {
    for (const auto& space : run_.begun) space->translator().Keep();
    run_.begun.clear();
  }

  [[nodiscard]] const VirtualMachine* machine() const override { return &run_.machine; }
  [[nodiscard]] Measured<Instructions> Count() override {
    const std::uint64_t count = run_.counts.Instructions();
    check_.See(count);
    return Instructions{count};
  }
  // A fragment may have added its own instructions and those of the one behind it.
  [[nodiscard]] Instructions CountedAhead() const override { return Instructions{guests_.size() * 2 * Blocks::kLongest}; }
  void CompareCount(Nanoseconds cpu) override { check_.Compare(cpu); }
  [[nodiscard]] StopTimes OwnStops() const override { return turns_ ? turns_->stops() : StopTimes{}; }
  [[nodiscard]] bool CountsSystemCalls() const override { return true; }
  [[nodiscard]] std::uint64_t SystemCalls() const override { return run_.counts.SystemCalls(); }
  [[nodiscard]] EngineMemory OwnMemory() const override {
    return {Bytes{(regions_ != 0 ? regions_ : CodeCache::kFirstRegions) * CodeCache::kRegionSize + control::kTablesBytes + control::kRoomSize}, resident_};
  }

 private:
  // A task that `begin` could make a guest of.
  template <typename Begin>
  bool AddIf(pid_t tid, Begin begin) {
    auto made = std::make_unique<Guest>(tid, &run_);
    Guest* const guest = made.get();
    if (!guests_.Guarded([&] { begin(guest); }) || guest->space() == nullptr) return false;
    guests_.Add(std::move(made));
    if (run_.takes_turns) turns_->Added(guest);
    SetClocks();
    return true;
  }

  void Remove(pid_t tid) {
    Guest* const guest = guests_.Find(tid);
    if (guest == nullptr) return;
    if (calls_) {
      guest->ReportCalls();
      calls_->TaskEnded(tid, guest->UnfinishedCall());
    }
    guests_.Remove(tid);
    SetClocks();
  }

  // Of several tasks at a time none knows what the others have executed.
  void SetClocks() const {
    std::optional<pid_t> alone;
    if (run_.takes_turns) alone = turns_->current();
    else if (guests_.size() == 1) alone = guests_.all().begin()->first;
    guests_.SetClocks(alone);
  }

  void Begin(Guest* child, Guest* parent, std::uint64_t flags) {
    const GuestPc pc = parent->BehindCall();
    if ((flags & CLONE_VFORK) != 0) parent->WaitInKernel(pc);
    if (run_.takes_turns) turns_->Made(child, *parent, (flags & CLONE_VFORK) != 0);
    if ((flags & CLONE_VM) != 0) {
      child->BeginThread(*parent, pc, (flags & CLONE_SIGHAND) != 0);
    } else if ((flags & CLONE_FILES) != 0) {
      run_.violation = "counter=translator does not run processes that share descriptors but not memory (clone with CLONE_FILES)";
    } else {
      child->BeginFork(*parent, pc);
    }
  }

  // Of the call by which `parent`, stopped in it, made `child`: those flags that matter here, as the kernel understood them.
  // What stands in the program's registers and memory may be something else by now.
  static std::uint64_t CloneFlags(pid_t parent, pid_t child) {
    const auto shares = [&](int what) { return ::syscall(SYS_kcmp, parent, child, what, 0, 0) == 0; };
    std::uint64_t flags = 0;
    if (shares(KCMP_VM)) flags |= CLONE_VM;
    if (shares(KCMP_SIGHAND)) flags |= CLONE_SIGHAND;
    if (shares(KCMP_FILES)) flags |= CLONE_FILES;
    if (ProcStatusNumber(child, "Tgid") == ProcStatusNumber(parent, "Tgid")) flags |= CLONE_THREAD;
    siginfo_t info{};
    if (::ptrace(PTRACE_GETSIGINFO, parent, nullptr, &info) != 0) throw TaskIsGone{};
    if (info.si_code >> 8 == PTRACE_EVENT_VFORK) flags |= CLONE_VFORK;
    return flags;
  }

  // A child whose parent was killed before it could be announced is nobody's. A thread lives and dies with its process.
  static bool IsOrphan(pid_t task) {
    if (ProcStatusNumber(task, "Tgid") != static_cast<std::uint64_t>(task)) return false;
    const auto parent = static_cast<pid_t>(ProcStatusNumber(task, "PPid").value_or(0));
    return ProcStatusNumber(parent, "TracerPid") != static_cast<std::uint64_t>(::getpid());
  }

  TranslatedRun run_;
  TranslatorFilter filter_{};
  Guests guests_;
  bool executed_ = false;  // the program has begun
  Bytes resident_;
  std::size_t regions_ = 0;
  CountCheck check_;
  std::optional<CallWatch> calls_;      // where somebody observes them
  std::optional<TurnScheduler> turns_;  // where tasks may take turns
};

}  // namespace

std::unique_ptr<Engine> MakeTranslatedEngine(const RunRequest& request) {
  const std::uint32_t processes = request.limits.processes;
  if (2ULL * processes > control::kMostPages) {
    throw UserError(fmt::format("counter=translator runs at most {} processes and threads, not {}", control::kMostPages / 2,
                                processes));
  }
  return std::make_unique<TranslatedEngine>(request);
}

}  // namespace tally
