#include "supervisor/translator/turns/turn_scheduler.h"

#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/sys.h"
#include "supervisor/resources/proc_status.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/tracing/tracee.h"
#include "supervisor/tracing/waits.h"

namespace tally {
namespace {

constexpr Nanoseconds kBetweenChecks = Milliseconds(5);  // at a task that may wait in the kernel while others want a turn

// Of the call by which `parent`, stopped in it, made a task: the word that becomes 0 at that one's end (clone(2),
// CLONE_CHILD_CLEARTID).
std::uint64_t ClearedAtEnd(const Guest& parent) {
  user_regs_struct r{};
  if (!Registers(parent.tid(), &r)) throw TaskIsGone{};
  if (r.orig_rax == SYS_clone) return (r.rdi & CLONE_CHILD_CLEARTID) != 0 ? r.r10 : 0;
  std::uint64_t arguments[3] = {};  // flags, pidfd, child_tid
  if (r.orig_rax != SYS_clone3 || ReadTracee(parent.tid(), r.rdi, arguments, sizeof arguments) != sizeof arguments) return 0;
  return (arguments[0] & CLONE_CHILD_CLEARTID) != 0 ? arguments[2] : 0;
}

}  // namespace

TurnScheduler::TurnScheduler(TranslatedRun* run, Guests* guests, std::uint64_t seed)
    : run_(*run), guests_(*guests), turns_(seed, run->options.turn), timers_(run, guests), calls_(run, guests, &turns_, &timers_) {}

std::string TurnScheduler::WhyTurnsVary() const {
  if (was_stopped_) return "a process was stopped by a signal and others went on";
  if (waited_in_call_) return "a thread or process waited in a system call that turns do not know while there were others";
  return calls_.waited_outside() ? "a thread or process waited for something from outside while there were others" : "";
}

// Beginnings and ends --------------------------------------------------------------------------------------

void TurnScheduler::Begin(Guest* first, const std::function<void()>& take) {
  guests_.EndBurst();
  run_.takes_turns = true;
  take();
  turns_.Add(first->tid());
  turns_.Choose(run_.machine.clock().SinceStart(run_.counts.Instructions()));
  BeginTurn(first);
}

// A process's first thread that was at its end may be alive again, by another's execve (tasks.h).
void TurnScheduler::Executed(pid_t tid) {
  timers_.ForgetMade(tid);
  can_go_.erase(tid);
  calls_.Forget(tid);
  leavers_.erase(tid);
  turns_.Add(tid);
  turns_.Return(tid);
  turns_.Release(tid);
  EndVfork(tid);
}

void TurnScheduler::Made(Guest* child, const Guest& parent, bool by_vfork) {
  if (by_vfork) vforks_[child->tid()] = parent.tid();
  child->clears_at_end = ClearedAtEnd(parent);
}

void TurnScheduler::Added(Guest* guest) {
  turns_.Add(guest->tid());
  if (turns_.current() == guest->tid()) BeginTurn(guest);
}

void TurnScheduler::Stopped(pid_t tid) {
  was_stopped_ = true;
  stopped_.insert(tid);
  turns_.Suspend(tid);
  SeeChildChanged();
  StopThoseWhoWait();
}

// A process has stopped or goes on: its parent may wait for that (waitpid(2), WUNTRACED).
void TurnScheduler::SeeChildChanged() {
  turns_.NoteChange();
  calls_.ExpectSignals();
}

void TurnScheduler::AtEnd(pid_t tid) {
  const Guest* const guest = guests_.Find(tid);
  if (guest == nullptr) return;
  leavers_[tid] = guest->process();
  may_have_killed_ = true;
  calls_.AtEnd(*guest);
  can_go_.erase(tid);
  turns_.Leave(tid);
}

void TurnScheduler::Gone(pid_t tid) {
  turns_.Remove(tid);
  EndVfork(tid);
  can_go_.erase(tid);
  leavers_.erase(tid);
  calls_.Ended(tid);
}

// A process's first thread that has ended is not told of as long as others live.
void TurnScheduler::SeeLeavers() {
  std::vector<pid_t> ended;
  for (const auto& [tid, process] : leavers_) {
    if (tid == process && guests_.HasOfProcess(process) && HasEnded(tid)) ended.push_back(tid);
  }
  for (const pid_t tid : ended) Gone(tid);
}

// In the kernel's hands ------------------------------------------------------------------------------------

// A parent waits in the kernel until its child by vfork executes a program or ends; then it is back before anybody goes on.
bool TurnScheduler::MakesVfork(pid_t tid) const {
  return std::any_of(vforks_.begin(), vforks_.end(), [&](const auto& entry) { return entry.second == tid; });
}

void TurnScheduler::EndVfork(pid_t child) {
  const auto found = vforks_.find(child);
  if (found == vforks_.end()) return;
  if (in_kernel_.contains(found->second)) turns_.Leave(found->second);
  vforks_.erase(found);
}

// A process has stopped when all its threads have. One that waits for something stands at a stop of ours, and comes to that of its
// process when it goes on, before it executes anything. (One that can go on has its turn, and waits behind it.)
void TurnScheduler::StopThoseWhoWait() {
  std::set<pid_t> processes;
  for (const pid_t tid : stopped_) {
    if (const Guest* const guest = guests_.Find(tid); guest != nullptr) processes.insert(guest->process());
  }
  for (const auto& [tid, guest] : guests_.all()) {
    const auto stands = can_go_.find(tid);
    if (stands == can_go_.end() || stands->second != 0 || !processes.contains(guest->process()) || !turns_.IsWaiting(tid)) continue;
    Guest* const one = guests_.FindToAct(tid);
    if (one == nullptr || !guests_.Guarded([&] { one->ComeBack(); })) continue;
    LetGo(tid, one);
    turns_.Suspend(tid);
    stopped_.insert(tid);
    ResumeIfStopped(PTRACE_CONT, tid, 0);
  }
}

// Is one that was stopped on its way to Watch, for it was continued?
bool TurnScheduler::ComesBack() const {
  return std::any_of(stopped_.begin(), stopped_.end(), [](pid_t tid) { return IsRunnable(tid) || waits::LookAt(tid).event; });
}

// Has one of those that seem to stand left? It was killed with its process (exit_group(2)), and its stop is on the way to Watch.
bool TurnScheduler::IsAnyOnItsWay() const {
  const auto& all = guests_.all();
  return std::any_of(all.begin(), all.end(), [](const auto& entry) { return !IsStopped(entry.first) || waits::LookAt(entry.first).event; });
}

// Others wait for a turn of `tid`, which sleeps in a system call that turn_calls.h does not know: it is brought out, and makes the call
// again when the others have had their turns.
void TurnScheduler::SeeCallThatWaits(pid_t tid) {
  const std::uint64_t executed = run_.counts.Instructions();
  const bool goes_on = std::exchange(seen_at_, executed) != executed;
  const bool asleep = !goes_on && !waits::LookAt(tid).event && IsAsleep(tid);
  if (!std::exchange(was_asleep_, asleep) || !asleep) return;
  was_asleep_ = false;
  Guest* const guest = guests_.FindToAct(tid);
  if (guest == nullptr) return;
  guests_.EndBurst();
  const auto bring_out = [&] {
    if (!guest->Stop()) return;
    waited_in_call_ = true;
    if (run_.counts.Instructions() <= began_at_) turns_.TakeBackChanges();  // the call is not counted any more
    turns_.TryAgain(std::nullopt, true);
    guest->GoOnAfterStop();
  };
  guests_.Guarded(bring_out);
}

// Is it time for Watch to look at the limits? Timers may go off without end, and for nobody.
bool TurnScheduler::MustReturn() const { return sys::MonotonicNow() >= run_.return_by; }

// Turns ----------------------------------------------------------------------------------------------------

// As long as it is, or until a timer goes off.
void TurnScheduler::BeginTurn(Guest* guest) {
  guest->BeginTurn(std::min(turns_.length(), timers_.InstructionsLeft().value_or(~0ULL)));
}

// One of the process that stands still, so that it can be made to do something.
Guest* TurnScheduler::StandingIn(pid_t process) const {
  for (const auto& [tid, guest] : guests_.all()) {
    const bool stands = can_go_.contains(tid) && !guest->waits_in_kernel();
    if (stands && guest->process() == process) return guest.get();
  }
  return nullptr;
}

void TurnScheduler::LetStand(pid_t tid, int signal) {
  can_go_[tid] = signal;
  if (Guest* const guest = guests_.Find(tid); guest != nullptr) guest->Stand(true);
}

void TurnScheduler::LetGo(pid_t tid, Guest* guest) {
  can_go_.erase(tid);
  guest->Stand(false);
}

std::optional<WaitStatus> TurnScheduler::Resume(pid_t tid, int signal) {
  LetStand(tid, signal);
  const bool was_stopped = stopped_.erase(tid) != 0;
  if (was_stopped) SeeChildChanged();
  if (was_stopped || in_kernel_.erase(tid) != 0) turns_.Return(tid);
  return GoOn(tid, false);
}

std::optional<Nanoseconds> TurnScheduler::Check() {
  SeeLeavers();
  if (MustReturn()) return kBetweenChecks;
  const bool goes_on = !turns_.current() || can_go_.contains(*turns_.current());
  if (goes_on) GoOn(-1, true);
  // A burst takes the signal that tells of stops, those of others, too (stop_burst.h).
  if (goes_on && turns_.current()) return Nanoseconds(0);
  if (!run_.postponed->empty() || is_choosing_) return Nanoseconds(0);
  if (!leavers_.empty() || stops_are_coming_ || ComesBack()) return Milliseconds(1);
  if (!turns_.current() || !turns_.OthersWait()) return std::nullopt;
  SeeCallThatWaits(*turns_.current());
  return kBetweenChecks;
}

// Lets whose turn it is run, as long as it does not stop for Watch. Nothing: it runs, or its stop is on the way.
std::optional<WaitStatus> TurnScheduler::GoOn(pid_t asked, bool may_wait) {
  do {
    if (turns_.HasLeaving()) return std::nullopt;
    if (!turns_.current() && !ChooseNext(may_wait)) return std::nullopt;
    const pid_t tid = *turns_.current();
    const auto at = can_go_.find(tid);
    if (at == can_go_.end()) return std::nullopt;
    Guest* const guest = guests_.FindToAct(tid);
    if (guest == nullptr) return std::nullopt;
    bool goes_on = true;
    const auto pass = [&] {
      guest->ComeBack();
      goes_on = PassTurnEvent(guest);
    };
    if (!guests_.Guarded(pass)) return std::nullopt;
    if (!goes_on && !stopped_.empty()) StopThoseWhoWait();
    if (!goes_on) continue;
    const int signal = at->second;
    LetGo(tid, guest);
    const std::optional<WaitStatus> stop = RunInTurn(guest, signal);
    if (!stop) {
      if (can_go_.contains(tid)) continue;
      return std::nullopt;
    }
    if (tid == asked) return stop;
    run_.postponed->Add(tid, *stop);
    return std::nullopt;
  } while (run_.violation.empty() && !MustReturn());
  return std::nullopt;
}

// False: its turn is over, or it waits.
bool TurnScheduler::PassTurnEvent(Guest* guest) {
  const auto event = guest->TakeTurnEvent();
  const bool is_over = event == Guest::TurnEvent::kIsOver;
  const bool has_signal = can_go_.at(guest->tid()) != 0;  // with which it begins its next turn, if this one is used up
  if (is_over || (!event && has_signal && guest->IsTurnUsedUp())) {
    if (is_over && !has_signal && turns_.later() != 0) {
      const StopsOfOurs stops(guest->tid(), &stops_);
      guest->GoFurther(turns_.later());
    }
    guest->EndTurnHere();
    turns_.End();
    return false;
  }
  const bool in_truth = std::exchange(in_truth_, false);
  if (!event && !calls_.HasWaited(guest->tid())) return true;
  const TurnCalls::Outcome outcome = calls_.Handle(guest, in_truth);
  if (outcome != TurnCalls::Outcome::kWaits) guests_.SetClocks(turns_.current());
  return outcome != TurnCalls::Outcome::kWaits;
}

void TurnScheduler::TellOverrun(const Guest& guest) {
  siginfo_t info{};
  if (::ptrace(PTRACE_GETSIGINFO, guest.tid(), nullptr, &info) != 0 || !timers_.TellOverrun(guest.process(), &info)) return;
  ::ptrace(PTRACE_SETSIGINFO, guest.tid(), nullptr, &info);
}

// A stop for Watch; nothing: it runs, or can go on as can_go_ says.
std::optional<WaitStatus> TurnScheduler::RunInTurn(Guest* guest, int signal) {
  const pid_t tid = guest->tid();
  if (const auto stop = guest->TakeOtherStop()) return stop;
  if (!guests_.Guarded([&] { guest->PassKernelWait(); })) return std::nullopt;
  if (signal != 0) TellOverrun(*guest);
  if (signal != 0 && !guests_.Guarded([&] { signal = guest->PrepareSignal(signal); })) return std::nullopt;
  const auto how = guest->waits_in_kernel() ? PTRACE_SYSCALL : PTRACE_CONT;
  if (MakesVfork(tid)) {
    guests_.EndBurst();
    in_kernel_.insert(tid);
    turns_.Suspend(tid);
    ResumeIfStopped(how, tid, signal);
    return std::nullopt;
  }
  std::unique_ptr<StopBurst> burst = guests_.TakeBurst(tid);
  turns_.NoteGoesOn();
  if (!ResumeIfStopped(how, tid, signal) || burst->IsLong()) return std::nullopt;
  const std::optional<WaitStatus> status = burst->Next();
  if (!status) return status;
  if (!guests_.TakesStop(tid, *status) || !run_.violation.empty()) {
    if (status->kind() == WaitStatus::Kind::kEvent && status->event() == PTRACE_EVENT_SECCOMP) guests_.KeepBurst(std::move(burst));
    return status;
  }
  if (const auto stop = guest->TakeOtherStop()) return stop;
  LetStand(tid, 0);
  guests_.KeepBurst(std::move(burst));
  return std::nullopt;
}

// What comes from outside comes in real time, and so do moments then. In between Watch moves what the program has written.
void TurnScheduler::AwaitOutside(Nanoseconds longest) {
  const Nanoseconds begin = sys::MonotonicNow();
  if (calls_.AwaitOutside(std::min({longest, kBetweenChecks, run_.return_by - begin}))) turns_.NoteChange();
  run_.machine.clock().Pass(sys::MonotonicNow() - begin);
}

// True: somebody's turn has begun. `may_wait`: for what comes from outside.
bool TurnScheduler::ChooseNext(bool may_wait) {
  guests_.EndBurstOfTurn();
  is_choosing_ = stops_are_coming_ = false;
  if (ComesBack() || run_.machine.calls().slept_too_long()) return false;
  timers_.Prune();
  if (!GoOffAndChoose(may_wait)) {
    is_choosing_ = is_choosing_ || (MustReturn() && !is_deadlocked_);
    return false;
  }
  if (Guest* const next = guests_.Find(*turns_.current()); next != nullptr) BeginTurn(next);
  began_at_ = run_.counts.Instructions();
  guests_.SetClocks(turns_.current());
  return true;
}

bool TurnScheduler::GoOffAndChoose(bool may_wait) {
  while (!MustReturn()) {
    if (timers_.GoOff([this](pid_t process) { return StandingIn(process); })) {
      calls_.ExpectSignals();
      turns_.NoteChange();
    }
    if (MustReturn()) return false;
    calls_.SeeSignals();
    const Nanoseconds now = run_.machine.clock().SinceStart(run_.counts.Instructions());
    if (turns_.Choose(now)) return true;
    if (!leavers_.empty() || turns_.HasLeaving()) return false;
    may_have_killed_ = calls_.TakeMayHaveKilled() || may_have_killed_;
    stops_are_coming_ = may_have_killed_ && IsAnyOnItsWay();
    if (stops_are_coming_) return false;
    may_have_killed_ = false;
    std::optional<Nanoseconds> moment = turns_.NextMoment();
    if (const auto timer = timers_.NextMoment(); timer && (!moment || *timer < *moment)) moment = timer;
    if (!moment) break;
    if (calls_.IsOutsideAwaited()) {
      is_choosing_ = !std::exchange(may_wait, false);
      if (is_choosing_) return false;
      guests_.EndBurstBeforeSleep();
      AwaitOutside(*moment - now);
      continue;
    }
    guests_.EndBurstBeforeSleep();
    if (!run_.machine.calls().Sleep(*moment - now)) return false;
  }
  if (MustReturn()) return false;
  if (turns_.ChooseForOutside()) {
    in_truth_ = true;
    return true;
  }
  is_deadlocked_ = in_kernel_.empty() && guests_.unannounced.empty() && !guests_.empty() && !run_.machine.used_timers();
  return false;
}

}  // namespace tally
