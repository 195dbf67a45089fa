#include "supervisor/translator/guest/translated_engine.h"

#include <fmt/format.h>
#include <linux/kcmp.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "base/sys.h"
#include "supervisor/resources/proc_status.h"
#include "supervisor/sandbox/child_setup.h"
#include "supervisor/sandbox/sandbox.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/tracing/one_processor.h"
#include "supervisor/tracing/stop_burst.h"
#include "supervisor/tracing/tracee.h"
#include "supervisor/tracing/waits.h"
#include "supervisor/translator/guest/call_filter.h"
#include "supervisor/translator/guest/call_watch.h"
#include "supervisor/translator/guest/count_check.h"
#include "supervisor/translator/guest/guest.h"
#include "supervisor/translator/guest/guest_start.h"
#include "supervisor/translator/guest/own_ranges.h"
#include "supervisor/translator/turns/turn_calls.h"
#include "supervisor/translator/turns/turns.h"

namespace tally {
namespace {

// Can a program find a /proc there?
bool HasProc(const Sandbox& sandbox) {
  if (sandbox.isolation() != Isolation::kFull) return true;
  const auto& mounts = sandbox.spec().mounts;
  return std::any_of(mounts.begin(), mounts.end(), [](const Mount& mount) { return mount.kind == MountKind::kProc; });
}

constexpr Nanoseconds kBetweenLooks = Milliseconds(5);  // at a task that may wait in the kernel while others want a turn

class TranslatedEngine : public Engine {
 public:
  explicit TranslatedEngine(const RunRequest& request) : run_(request, &postponed()) {
    if (run_.call_observer != nullptr) calls_.emplace(run_.call_observer);
    if (!run_.may_take_turns) return;
    turns_.emplace(request.virtual_cpu.schedule_seed);
    timers_.emplace(&run_);
    turn_calls_.emplace(&run_, &*turns_, &*timers_);
  }

  [[nodiscard]] std::string name() const override { return "translated"; }
  [[nodiscard]] std::string counter() const override { return "translator"; }
  [[nodiscard]] std::string violation() const override {
    return run_.violation.empty() ? check_.why() : run_.violation;
  }

  void PrepareChild(ChildPlan* plan) override {
    plan->filters.push_back(TranslatorCallFilter());
    plan->filters.push_back(OwnRangesFilter());
    if (calls_) plan->filters.push_back(NamingCallFilter());
    run_.hides_in_proc = HasProc(*plan->sandbox);
    if (run_.hides_in_proc) plan->filters.push_back(PathCallFilter());
    plan->filters.push_back(run_.machine.calls().filter());
    plan->address_randomization = !run_.machine.Has(VirtualRule::kAddresses);
  }

  void OnExec(pid_t tid) override {
    burst_.reset();
    if (turns_ && !executed_) turn_calls_->NoteOutside(tid);
    executed_ = true;
    if (calls_) calls_->Began(tid);
    if (const auto before = guests_.find(tid); before != guests_.end()) before->second->LeaveByExec();
    guests_.erase(tid);  // what it executed before stays counted
    if (run_.takes_turns) timers_->ForgetMade(tid);
    if (run_.takes_turns) BeginInTurn(tid);
    if (run_.takes_turns) EndVfork(tid);
    // The kernel writes execve's result into rax after the exec stop; behind the call's exit the registers are ours.
    if (!ResumeIfStopped(PTRACE_SYSCALL, tid, 0)) return;
    const std::optional<WaitStatus> status = AwaitStop(tid);
    if (!status || status->kind() != WaitStatus::Kind::kSyscallStop) return;
    AddIf(tid, [&](Guest* guest) { guest->BeginProgram(); });
  }

  // The parent is stopped in the call that made it.
  void OnNewTask(pid_t tid, pid_t parent) override {
    burst_.reset();
    const auto found = guests_.find(parent);
    if (found == guests_.end()) {
      unannounced_.insert(tid);
      return;
    }
    if (unannounced_.erase(tid) == 0) {
      const std::optional<WaitStatus> first = AwaitStop(tid);
      if (!first) return;
      if (first->kind() == WaitStatus::Kind::kGroupStop) StopAgain(tid);
    }
    AllowProcessorsOf(parent, tid);  // made in a burst, it was left with one
    std::uint64_t flags = 0;
    const auto see_parent = [&] {
      flags = CloneFlags(parent, tid);
      Guest* const first = Acting(found->second.get());
      if (turns_ && !run_.takes_turns) BeginTurns(first, [first] { first->TakeTurns(); });
    };
    if (!Guarded(see_parent)) {
      unannounced_.insert(tid);  // its parent is at its end
      return;
    }
    if (!AddIf(tid, [&](Guest* guest) { Begin(guest, found->second.get(), flags); })) return;
    if (calls_) calls_->TaskBegan(tid, parent, flags);
    postponed().Add(tid, WaitStatus::FromStop(SIGTRAP | PTRACE_EVENT_STOP << 8));
  }

  void OnStopped(pid_t tid) override {
    burst_.reset();
    if (calls_) calls_->StopBegan(tid);
    if (!run_.takes_turns) return;
    was_stopped_ = true;
    stopped_.insert(tid);
    turns_->Suspend(tid);
    StopThoseBeside(tid);
  }

  std::optional<WaitStatus> Resume(pid_t tid, int signal) override {
    if (calls_) calls_->StopEnded(tid);
    const auto found = guests_.find(tid);
    if (found == guests_.end()) {
      // Up to its execve it is our own code. Later: OnNewTask will be told of its parent, or it is at its end.
      if (!executed_) ResumeIfStopped(PTRACE_CONT, tid, signal);
      return std::nullopt;
    }
    if (run_.takes_turns) {
      LetStand(tid, signal);
      if (in_kernel_.erase(tid) + stopped_.erase(tid) != 0) turns_->Return(tid);
      return GoOn(tid);
    }
    Guest& guest = *found->second;
    if (const auto stop = guest.TakeOtherStop()) return stop;
    if (!Guarded([&] { Acting(&guest)->PassKernelWait(); })) return std::nullopt;
    if (signal != 0 && !Guarded([&] { signal = Acting(&guest)->PrepareSignal(signal); })) return std::nullopt;
    // A failed execve, and the end of a vfork, must stop before the program goes on.
    const auto how = guest.waits_in_kernel() ? PTRACE_SYSCALL : PTRACE_CONT;
    if (guests_.size() > 1) {
      ResumeIfStopped(how, tid, signal);
      return std::nullopt;
    }
    // New code comes in bursts, and so do calls, so after a stop the next is awaited at once; on one processor, where the
    // program is told of one only.
    std::unique_ptr<StopBurst> burst = std::move(burst_);
    if (burst == nullptr || burst->IsLong()) {
      burst.reset();  // before the next begins: it gives back what it took
      burst = std::make_unique<StopBurst>(tid, run_.machine.Has(VirtualRule::kSystem), run_.return_by);
    }
    while (ResumeIfStopped(how, tid, signal) && !burst->IsLong()) {
      const std::optional<WaitStatus> status = burst->Next();
      if (!status) return status;
      if (!TakesStop(tid, *status) || !violation().empty()) {
        if (status->kind() == WaitStatus::Kind::kEvent && status->event() == PTRACE_EVENT_SECCOMP) burst_ = std::move(burst);
        return status;
      }
      if (const auto stop = guest.TakeOtherStop()) return stop;
      signal = 0;
    }
    return std::nullopt;
  }

  bool TakesStop(pid_t tid, const WaitStatus& status) override {
    const auto found = guests_.find(tid);
    if (found == guests_.end() || status.kind() != WaitStatus::Kind::kSignalStop) return false;
    bool ours = true;  // also when the program was killed meanwhile
    if (status.signal() == SIGTRAP) {
      Guarded([&] { ours = Acting(found->second.get())->HandleTrap(); });
    } else if (status.signal() == SIGSEGV || status.signal() == SIGBUS) {
      Guarded([&] { ours = Acting(found->second.get())->HandleFault(); });
    } else {
      ours = false;
    }
    return ours;
  }

  std::optional<WaitStatus> ResumeCall(pid_t tid, const StoppedCall& call) override {
    if (const auto found = guests_.find(tid); found != guests_.end()) {
      if (turns_ && !run_.takes_turns && run_.machine.Has(VirtualRule::kTime) && IsAboutTimers(call.number)) {
        Guest* const first = Acting(found->second.get());
        if (!Guarded([&] { BeginTurns(first, [&] { first->TakeTurnsAt(call); }); })) return std::nullopt;
        return violation().empty() ? Resume(tid, 0) : std::nullopt;
      }
      using Outcome = VirtualCalls::Outcome;
      const Outcome outcome = run_.machine.calls().Answer(tid, call, run_.counts.Instructions(), run_.takes_turns || guests_.size() == 1);
      if (outcome == Outcome::kTooLong) {
        burst_.reset();
        return std::nullopt;
      }
      Guest* const guest = Acting(found->second.get());
      if (run_.takes_turns && outcome != Outcome::kNotOurs) guest->SpendTurn(Turns::kOfCall);
      guest->NameCall(call);
      const bool waits_in_truth = guests_.size() > 1 && !run_.takes_turns && run_.machine.Has(VirtualRule::kTime);
      const auto handle = [&] {
        if (waits_in_truth) guest->WaitUntil(call);
        guest->HandleCall(call);
      };
      if (outcome != Outcome::kAnswered && !Guarded(handle)) return std::nullopt;
      SetClocks();  // it may have slept
    }
    return violation().empty() ? Resume(tid, 0) : std::nullopt;
  }

  // What of our memory the program has touched (a program's own shared memory looks the same).
  void OnExitStop(pid_t tid) override {
    burst_.reset();
    const auto found = guests_.find(tid);
    if (found == guests_.end()) return;
    const CodeSpace& space = *found->second->space();
    const Bytes most{space.cache().UsedBytes() + ControlArea::SizeFor(run_.most_tasks, run_.HasLogs())};
    resident_ = std::max(resident_, std::min(ProcStatusBytes(tid, "RssShmem").value_or(Bytes{}), most));
    zones_ = std::max(zones_, space.cache().zones().size());
    if (run_.takes_turns) LeaveTurns(tid);
    Remove(tid);  // it executes nothing any more
  }

  void OnRunOver() override {
    burst_.reset();
    while (!guests_.empty()) Remove(guests_.begin()->first);
    if (calls_) calls_->RunOver();
  }
  Nanoseconds Look() override {
    if (run_.takes_turns) {
      SeeLeavers();
      const bool goes_on = !turns_->current() || can_go_.contains(*turns_->current());
      if (goes_on) GoOn(-1);
      // A burst takes the signal that tells of stops, those of others, too (stop_burst.h).
      if (goes_on && turns_->current()) return Nanoseconds(0);
      if (postponed().Longest()) return Nanoseconds(0);
      if (!leavers_.empty() || ComesBack()) return Milliseconds(1);
      if (turns_->current() && turns_->OthersWait()) {
        SeeCallThatWaits(*turns_->current());
        return kBetweenLooks;
      }
    }
    return calls_ ? calls_->LookAtFreezer() : Nanoseconds::max();
  }

  void OnGone(pid_t tid) override {
    Remove(tid);
    if (run_.takes_turns) EndLeaving(tid);
    unannounced_.erase(tid);
    for (const pid_t task : unannounced_) {
      if (IsOrphan(task)) ::kill(task, SIGKILL);
    }
  }

  [[nodiscard]] bool IsDeadlocked() const override { return is_deadlocked_; }
  [[nodiscard]] std::string WhyTasksVary() const override {
    if (!turns_) return Engine::WhyTasksVary();
    if (was_stopped_) return "a process was stopped by a signal and others went on";
    if (waited_in_call_) return "a thread or process waited in a system call that turns do not know while there were others";
    return turn_calls_->waited_outside() ? "a thread or process waited for something from outside while there were others" : "";
  }
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
  // A unit may have added its own instructions and those of the one behind it.
  [[nodiscard]] Instructions CountedAhead() const override { return Instructions{guests_.size() * 2 * Blocks::kLongest}; }
  void CompareCount(Nanoseconds cpu) override { check_.Compare(cpu); }
  [[nodiscard]] bool CountsSystemCalls() const override { return true; }
  [[nodiscard]] std::uint64_t SystemCalls() const override { return run_.counts.SystemCalls(); }
  [[nodiscard]] EngineMemory OwnMemory() const override {
    return {Bytes{(zones_ != 0 ? zones_ : CodeCache::kFirstZones) * CodeCache::kZoneSize + control::kTablesBytes + control::kRoomSize}, resident_};
  }

 private:
  // False when the task was killed meanwhile and its end is on the way to Watch, or when violation() says why.
  template <typename Action>
  bool Guarded(Action action) {
    try {
      action();
      return true;
    } catch (const TaskIsGone&) {
      return false;
    } catch (const NoRoomInProgram&) {
      if (guests_.empty()) throw;  // as it begins: Watch says so
      run_.violation = "counter=translator has no room in the address space: the program fills it, or has as many mappings as there may be";
      return false;
    } catch (const GadgetFaults&) {
      run_.violation = "counter=translator cannot begin the program: its entry point cannot be executed";
      return false;
    } catch (const TaskDoesNotStop&) {
      run_.violation = "counter=translator cannot bring a thread of the program to a stop";
      return false;
    } catch (const SystemError& error) {
      if (error.error() != EEXIST) throw;
      run_.violation = "counter=translator has no room in the address space: the program's own segments lie where its code would";
      return false;
    } catch (const RegisterRefused&) {
      run_.violation = "counter=translator cannot go on with the segment registers as the program has set them";
      return false;
    } catch (const NoDescriptorLeft&) {
      run_.violation = "counter=translator needs a free descriptor when a program or a process with code of its own begins";
      return false;
    }
  }

  // A task that `begin` could make a guest of.
  template <typename Begin>
  bool AddIf(pid_t tid, Begin begin) {
    auto guest = std::make_unique<Guest>(tid, &run_);
    if (!Guarded([&] { begin(guest.get()); }) || guest->space() == nullptr) return false;
    guests_[tid] = std::move(guest);
    if (run_.takes_turns) {
      turns_->Add(tid);
      if (turns_->current() == tid) BeginTurn(guests_[tid].get());
    }
    SetClocks();
    return true;
  }

  void Remove(pid_t tid) {
    const auto found = guests_.find(tid);
    if (found == guests_.end()) return;
    if (calls_) {
      found->second->ReportCalls();
      calls_->TaskEnded(tid, found->second->UnfinishedCall());
    }
    guests_.erase(found);
    SetClocks();
  }

  // What translated code tells the time by (clock_code.h). Of several tasks at a time none knows what the others have executed.
  void SetClocks() {
    for (const auto& [tid, guest] : guests_) {
      const CounterPage page = guest->page();
      page.SetWord(control::kClockOn, 0);
      if (run_.takes_turns ? turns_->current() != tid : guests_.size() != 1) continue;
      const VirtualClock& clock = run_.machine.clock();
      page.SetWord(control::kClockOthers, run_.counts.Instructions() - page.Instructions());
      page.SetWord(control::kClockSince, static_cast<std::uint64_t>(clock.ahead().count()));
      page.SetWord(control::kClockDate, static_cast<std::uint64_t>((VirtualClock::kEpoch + clock.ahead()).count()));
      page.SetWord(control::kClockTicks, clock.Ticks(0));
      page.SetWord(control::kClockOn, 1);
    }
  }

  static Guest* Acting(Guest* guest) {
    guest->ActAsYourself();
    return guest;
  }

  // One task at a time (turns.h) ---------------------------------------------------------------------------

  // `first` has been the only one so far. It has its first turn.
  template <typename Take>
  void BeginTurns(Guest* first, Take take) {
    burst_.reset();
    run_.takes_turns = true;
    take();
    turns_->Add(first->tid());
    turns_->Choose(run_.machine.clock().SinceStart(run_.counts.Instructions()));
    BeginTurn(first);
  }

  // As long as it is, or until a timer goes off.
  void BeginTurn(Guest* guest) {
    guest->BeginTurn(std::min(turns_->length(), timers_->InstructionsLeft().value_or(~0ULL)));
  }

  // One of the process that stands still, so that it can be made to do something.
  Guest* StandingIn(pid_t process) {
    for (const auto& [tid, guest] : guests_) {
      const bool stands = can_go_.contains(tid) && !guest->waits_in_kernel();
      if (stands && guest->process() == process) return guest.get();
    }
    return nullptr;
  }

  // A process's first thread that was at its end may be alive again, by another's execve (tasks.h).
  void BeginInTurn(pid_t tid) {
    can_go_.erase(tid);
    turn_calls_->Forget(tid);
    leavers_.erase(tid);
    turns_->Add(tid);
    turns_->Return(tid);
    turns_->Release(tid);
  }

  void LetStand(pid_t tid, int signal) {
    can_go_[tid] = signal;
    if (const auto found = guests_.find(tid); found != guests_.end()) found->second->Stand(true);
  }

  // Lets whose turn it is run, as long as it does not stop for Watch. Nothing: it runs, or its stop is on the way.
  std::optional<WaitStatus> GoOn(pid_t asked) {
    do {
      if (turns_->HasLeaving()) return std::nullopt;
      if (!turns_->current() && !ChooseNext()) return std::nullopt;
      const pid_t tid = *turns_->current();
      const auto at = can_go_.find(tid);
      if (at == can_go_.end() || !guests_.contains(tid)) return std::nullopt;
      Guest* const guest = Acting(guests_.find(tid)->second.get());
      bool goes_on = true;
      if (!Guarded([&] { goes_on = PassTurnEvent(guest); })) return std::nullopt;
      if (!goes_on) continue;
      int signal = at->second;
      can_go_.erase(at);
      guest->Stand(false);
      const std::optional<WaitStatus> stop = RunInTurn(guest, signal);
      if (!stop) {
        if (can_go_.contains(tid)) continue;
        return std::nullopt;
      }
      if (tid == asked) return stop;
      postponed().Add(tid, *stop);
      return std::nullopt;
    } while (violation().empty() && sys::MonotonicNow() < run_.return_by);
    return std::nullopt;
  }

  // False: its turn is over, or it waits.
  bool PassTurnEvent(Guest* guest) {
    const auto event = guest->TakeTurnEvent();
    if (event && !event->is_call) {
      guest->GoToEndOfTurn(event->last, turns_->later());
      turns_->End();
      return false;
    }
    const bool in_truth = std::exchange(in_truth_, false);
    if (!event && !turn_calls_->HasWaited(guest->tid())) return true;
    const TurnCalls::Outcome outcome = turn_calls_->Handle(guest, in_truth);
    if (outcome != TurnCalls::Outcome::kWaits) SetClocks();
    return outcome != TurnCalls::Outcome::kWaits;
  }

  // A stop for Watch; nothing: it runs, or can go on as can_go_ says.
  std::optional<WaitStatus> RunInTurn(Guest* guest, int signal) {
    const pid_t tid = guest->tid();
    if (const auto stop = guest->TakeOtherStop()) return stop;
    if (!Guarded([&] { guest->PassKernelWait(); })) return std::nullopt;
    if (signal != 0 && !Guarded([&] { signal = guest->PrepareSignal(signal); })) return std::nullopt;
    const auto how = guest->waits_in_kernel() ? PTRACE_SYSCALL : PTRACE_CONT;
    if (MakesVfork(tid)) {
      burst_.reset();
      in_kernel_.insert(tid);
      turns_->Suspend(tid);
      ResumeIfStopped(how, tid, signal);
      return std::nullopt;
    }
    std::unique_ptr<StopBurst> burst = std::move(burst_);
    if (burst == nullptr || burst->IsLong()) {
      burst.reset();
      burst = std::make_unique<StopBurst>(tid, run_.machine.Has(VirtualRule::kSystem), run_.return_by);
    }
    turns_->NoteChange();
    began_at_ = run_.counts.Instructions();
    if (!ResumeIfStopped(how, tid, signal) || burst->IsLong()) return std::nullopt;
    const std::optional<WaitStatus> status = burst->Next();
    if (!status) return status;
    if (!TakesStop(tid, *status) || !violation().empty()) {
      if (status->kind() == WaitStatus::Kind::kEvent && status->event() == PTRACE_EVENT_SECCOMP) burst_ = std::move(burst);
      return status;
    }
    if (const auto stop = guest->TakeOtherStop()) return stop;
    LetStand(tid, 0);
    burst_ = std::move(burst);
    return std::nullopt;
  }

  // A parent waits in the kernel until its child by vfork executes a program or ends; then it is back before anybody goes on.
  [[nodiscard]] bool MakesVfork(pid_t tid) const {
    return std::any_of(vforks_.begin(), vforks_.end(), [&](const auto& entry) { return entry.second == tid; });
  }
  void EndVfork(pid_t child) {
    const auto found = vforks_.find(child);
    if (found == vforks_.end()) return;
    if (in_kernel_.contains(found->second)) turns_->Leave(found->second);
    vforks_.erase(found);
  }

  // A process has stopped when all its threads have. One that waits for something stands at a stop of ours, and comes to that of its
  // process when it goes on, before it executes anything. (One that can go on has its turn.)
  void StopThoseBeside(pid_t stopped) {
    const auto found = guests_.find(stopped);
    if (found == guests_.end()) return;
    for (const auto& [tid, guest] : guests_) {
      const auto stands = can_go_.find(tid);
      if (stands == can_go_.end() || stands->second != 0 || guest->process() != found->second->process() || !turns_->IsWaiting(tid)) continue;
      can_go_.erase(stands);
      guest->Stand(false);
      turns_->Suspend(tid);
      stopped_.insert(tid);
      ResumeIfStopped(PTRACE_CONT, tid, 0);
    }
  }

  // Others wait for a turn of `tid`, which sleeps in a system call that turn_calls.h does not know: it is brought out, and makes the call
  // again when the others have had their turns.
  void SeeCallThatWaits(pid_t tid) {
    const bool asleep = IsAsleep(tid) && !waits::LookAt(tid).event;
    if (!std::exchange(was_asleep_, asleep) || !asleep) return;
    was_asleep_ = false;
    const auto found = guests_.find(tid);
    if (found == guests_.end()) return;
    Guest* const guest = Acting(found->second.get());
    burst_.reset();
    const auto bring_out = [&] {
      if (!guest->Halt()) return;
      waited_in_call_ = true;
      turns_->TryAgain(std::nullopt, true);
      if (run_.counts.Instructions() == began_at_) turns_->TakeBackChange();
      guest->GoOnAfterHalt();
    };
    Guarded(bring_out);
  }

  // Is one that was stopped on its way to Watch, for it was continued?
  [[nodiscard]] bool ComesBack() const {
    return std::any_of(stopped_.begin(), stopped_.end(), [](pid_t tid) { return IsRunnable(tid) || waits::LookAt(tid).event; });
  }

  bool ChooseNext() {
    burst_.reset();
    if (ComesBack() || run_.machine.calls().slept_too_long()) return false;
    timers_->Prune([this](pid_t process) {
      return std::any_of(guests_.begin(), guests_.end(), [process](const auto& entry) { return entry.second->process() == process; });
    });
    for (;;) {
      if (timers_->GoOff([this](pid_t process) { return StandingIn(process); })) {
        turn_calls_->ExpectSignals();
        turns_->NoteChange();
      }
      turn_calls_->SeeSignals();
      const std::uint64_t count = run_.counts.Instructions();
      const Nanoseconds now = run_.machine.clock().SinceStart(count);
      if (const auto next = turns_->Choose(now)) break;
      if (!leavers_.empty() || turns_->HasLeaving()) return false;
      std::optional<Nanoseconds> moment = turns_->NextMoment();
      if (const auto timer = timers_->NextMoment(); timer && (!moment || *timer < *moment)) moment = timer;
      if (moment) {
        if (!run_.machine.calls().Sleep(*moment - now)) return false;
        continue;
      }
      if (!turns_->ChooseForOutside()) {
        is_deadlocked_ = in_kernel_.empty() && unannounced_.empty() && !guests_.empty() && !run_.machine.used_timers();
        return false;
      }
      in_truth_ = true;
      break;
    }
    const auto next = guests_.find(*turns_->current());
    if (next != guests_.end()) BeginTurn(next->second.get());
    SetClocks();
    return true;
  }

  void LeaveTurns(pid_t tid) {
    const auto found = guests_.find(tid);
    if (found == guests_.end()) return;
    const Guest& guest = *found->second;
    leavers_[tid] = {guest.memory(), guest.clears_at_end};
    turn_calls_->Forget(tid);
    turn_calls_->ExpectSignals();
    can_go_.erase(tid);
    turns_->Leave(tid);
  }

  void EndLeaving(pid_t tid) {
    turns_->Remove(tid);
    EndVfork(tid);
    turn_calls_->Forget(tid);
    can_go_.erase(tid);
    const auto found = leavers_.find(tid);
    if (found == leavers_.end()) return;
    if (found->second.address != 0) turn_calls_->WakeAt(found->second);
    leavers_.erase(found);
  }

  // A process's first thread that has ended before others is not told of.
  void SeeLeavers() {
    std::vector<pid_t> ended;
    for (const auto& [tid, word] : leavers_) {
      if (HasEnded(tid) && ProcStatusNumber(tid, "Threads").value_or(0) > 1) ended.push_back(tid);
    }
    for (const pid_t tid : ended) EndLeaving(tid);
  }

  void Begin(Guest* child, Guest* parent, std::uint64_t flags) {
    const GuestPc pc = parent->BehindCall();
    if ((flags & CLONE_VFORK) != 0) parent->WaitInKernel(pc);
    if ((flags & CLONE_VFORK) != 0 && run_.takes_turns) vforks_[child->tid()] = parent->tid();
    if (run_.takes_turns) child->clears_at_end = ClearedAtEnd(*parent);
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

  // Of the call by which `parent`, stopped in it, made a task: the word that becomes 0 at that one's end (clone(2),
  // CLONE_CHILD_CLEARTID).
  static std::uint64_t ClearedAtEnd(const Guest& parent) {
    user_regs_struct r{};
    if (!Registers(parent.tid(), &r)) throw TaskIsGone{};
    if (r.orig_rax == SYS_clone) return (r.rdi & CLONE_CHILD_CLEARTID) != 0 ? r.r10 : 0;
    std::uint64_t arguments[3] = {};  // flags, pidfd, child_tid
    if (r.orig_rax != SYS_clone3 || ReadTracee(parent.tid(), r.rdi, arguments, sizeof arguments) != sizeof arguments) return 0;
    return (arguments[0] & CLONE_CHILD_CLEARTID) != 0 ? arguments[2] : 0;
  }

  // A child whose parent was killed before it could be announced is nobody's. A thread lives and dies with its process.
  static bool IsOrphan(pid_t task) {
    if (ProcStatusNumber(task, "Tgid") != static_cast<std::uint64_t>(task)) return false;
    const auto parent = static_cast<pid_t>(ProcStatusNumber(task, "PPid").value_or(0));
    return ProcStatusNumber(parent, "TracerPid") != static_cast<std::uint64_t>(::getpid());
  }

  TranslatedRun run_;
  std::unordered_map<pid_t, std::unique_ptr<Guest>> guests_;
  std::unordered_set<pid_t> unannounced_;  // stopped before their first instruction; their parents are not known yet
  bool executed_ = false;  // the program has begun
  Bytes resident_;
  std::size_t zones_ = 0;
  CountCheck check_;
  std::optional<CallWatch> calls_;  // where somebody observes them
  // Where tasks take turns:
  std::optional<Turns> turns_;
  std::optional<TurnTimers> timers_;
  std::optional<TurnCalls> turn_calls_;
  std::unordered_map<pid_t, int> can_go_;  // stopped, and handled by Watch: the signal with which they go on
  std::map<pid_t, FutexWord> leavers_;     // at their ends: where others may wait for that
  std::map<pid_t, pid_t> vforks_;          // from child to parent
  std::unordered_set<pid_t> in_kernel_;    // those that wait there for a child by vfork
  std::unordered_set<pid_t> stopped_;      // by a signal, until another continues them
  std::uint64_t began_at_ = 0;             // instructions, when the current task went on last
  bool was_asleep_ = false;                // the current task, when it was looked at last
  bool waited_in_call_ = false;            // any, in a call that others had to wait for
  bool is_deadlocked_ = false;
  bool was_stopped_ = false;               // any of them, by a signal
  bool in_truth_ = false;                  // the current task may wait in the kernel
  std::unique_ptr<StopBurst> burst_;  // that goes on when the call is done of which Watch was told
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
