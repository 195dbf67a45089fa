#include "supervisor/translator/turns/turn_calls.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iterator>
#include <utility>

#include "supervisor/machine/answers.h"
#include "supervisor/tracing/open_file.h"
#include "supervisor/translator/guest/guests.h"
#include "supervisor/translator/guest/translated_run.h"

namespace tally {
namespace {

constexpr std::uint32_t kConcernOthers[] = {
    SYS_futex, SYS_nanosleep, SYS_clock_nanosleep, SYS_sched_yield, SYS_wait4, SYS_waitid, SYS_poll, SYS_ppoll, SYS_select, SYS_pselect6,
    SYS_epoll_wait, SYS_epoll_pwait, SYS_epoll_pwait2, SYS_read, SYS_readv, SYS_recvfrom, SYS_recvmsg, SYS_accept, SYS_accept4, SYS_write,
    SYS_writev, SYS_sendto, SYS_sendmsg, SYS_pause, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_kill, SYS_tkill, SYS_tgkill,
    SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_pidfd_send_signal, SYS_set_tid_address};

constexpr std::uint64_t SignalBit(int signal) { return 1ULL << (signal - 1); }
constexpr std::uint64_t kIgnoredByDefault = SignalBit(SIGCHLD) | SignalBit(SIGURG) | SignalBit(SIGWINCH) | SignalBit(SIGCONT);

constexpr std::uint64_t kCommand = static_cast<std::uint32_t>(FUTEX_CMD_MASK);

// Behind a handler: always, or with SA_RESTART, or not (signal(7); kernel/futex/pi.c, kernel/futex/waitwake.c).
enum class MadeAgain : std::uint8_t { kNot, kIfAsked, kAlways };
MadeAgain IsMadeAgain(const StoppedCall& call, bool has_moment) {
  switch (call.number) {
    case SYS_wait4: case SYS_waitid: return MadeAgain::kIfAsked;
    case SYS_read: case SYS_readv: case SYS_recvfrom: case SYS_recvmsg: case SYS_accept: case SYS_accept4: case SYS_write: case SYS_writev:
    case SYS_sendto: case SYS_sendmsg: return has_moment ? MadeAgain::kNot : MadeAgain::kIfAsked;
    case SYS_futex: {
      const std::uint64_t command = call.arguments[1] & kCommand;
      if (command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2) return MadeAgain::kAlways;
      return has_moment ? MadeAgain::kNot : MadeAgain::kIfAsked;
    }
    default: return MadeAgain::kNot;
  }
}

// That of which the kernel knows nothing. Others may have what they wait for when a signal comes, and then it does not end them.
bool IsOurs(const StoppedCall& call) {
  return call.number == SYS_futex || call.number == SYS_nanosleep || call.number == SYS_clock_nanosleep || call.number == SYS_pause;
}

bool IsSleep(const StoppedCall& call) { return call.number == SYS_nanosleep || call.number == SYS_clock_nanosleep; }

}  // namespace

bool MayConcernOthers(std::optional<std::uint32_t> number) {
  return !number || IsAboutTimers(*number) || std::find(std::begin(kConcernOthers), std::end(kConcernOthers), *number) != std::end(kConcernOthers);
}

// Those that end a wait.
std::uint64_t TurnCalls::Deliverable(const SignalSets& sets, std::uint64_t taken) {
  const std::uint64_t without_effect = sets.ignored | (kIgnoredByDefault & ~sets.caught);
  return (sets.own | (sets.of_process & ~taken)) & ~sets.blocked & ~without_effect;
}

Nanoseconds TurnCalls::Now() const { return run_.machine.clock().SinceStart(run_.counts.Instructions()); }

TurnCalls::Outcome TurnCalls::Answer(Guest* guest, std::int64_t result) {
  waits_.erase(guest->tid());
  guest->AnswerCallAhead(result);
  return Outcome::kAnswered;
}

TurnCalls::Outcome TurnCalls::Until(Guest* guest, std::optional<Nanoseconds> moment) {
  waits_[guest->tid()].until = moment;
  waits_[guest->tid()].anew = false;
  turns_.WaitUntil(moment);
  return Outcome::kWaits;
}

TurnCalls::Outcome TurnCalls::Again(Guest* guest, std::optional<Nanoseconds> moment, bool outside) {
  if (const auto waited = waits_.find(guest->tid()); waited != waits_.end() && waited->second.caught) {
    const Wait wait = waited->second;
    if (wait.done != 0) return Answer(guest, static_cast<std::int64_t>(wait.done));
    waits_.erase(waited);
    return Interrupt(guest, guest->CallAhead(), wait, *wait.caught);
  }
  waits_[guest->tid()].until = moment;
  turns_.TryAgain(moment, outside);
  return Outcome::kWaits;
}

void TurnCalls::Forget(pid_t task) {
  futexes_.Remove(task);
  waits_.erase(task);
}

std::optional<SignalSets> TurnCalls::SignalsOf(pid_t task) const {
  std::optional<SignalSets> signals = SignalSetsOf(task);
  const auto waited = waits_.find(task);
  if (signals && waited != waits_.end() && waited->second.mask) signals->blocked = *waited->second.mask;
  return signals;
}

// Who was woken has what it waited for, whatever comes now. Of those for a process one task takes each, the first thread if it does not
// block it (kernel/signal.c, complete_signal).
void TurnCalls::SeeSignals() {
  if (!std::exchange(signals_sent_, false)) return;
  std::map<pid_t, std::uint64_t> taken_of;  // by process
  for (auto& [task, wait] : waits_) {
    if (!turns_.IsWaiting(task)) continue;
    const std::optional<SignalSets> signals = SignalsOf(task);
    if (!signals || Deliverable(*signals) == 0) continue;
    const Guest* const guest = guests_.Find(task);
    if (guest == nullptr) continue;
    std::uint64_t& taken = taken_of[guest->process()];
    taken |= TakenByFirst(*guest);
    if (Deliverable(*signals, taken) == 0) continue;
    taken |= signals->of_process;
    wait.interrupted = true;
    futexes_.Remove(task);
    turns_.Release(task);
  }
}

// Of the signals for the process of `guest`: those that its first thread, another one, takes.
std::uint64_t TurnCalls::TakenByFirst(const Guest& guest) {
  const pid_t first = guest.process();
  if (first == guest.tid() || guests_.Find(first) == nullptr) return 0;
  const std::optional<SignalSets> signals = SignalsOf(first);
  if (!signals) return 0;
  const std::uint64_t of_first = Deliverable({.of_process = signals->of_process, .blocked = signals->blocked, .ignored = signals->ignored, .caught = signals->caught});
  if (of_first != 0) turns_.Prefer(first);
  return of_first;
}

void TurnCalls::NoteOutside(pid_t task) {
  for (std::size_t i = 0; i < outside_.size(); ++i) {
    const std::string name = NameOfFile(task, i);
    if (MayMakeWait(name)) outside_[i] = name;
  }
}

TurnCalls::Outcome TurnCalls::Handle(Guest* guest, bool in_truth) {
  waited_outside_ = waited_outside_ || in_truth;
  if (!waits_.contains(guest->tid()) && MayConcernOthers(guest->CallAhead().number)) guest->SpendTurn(Turns::kOfCall);
  const Outcome outcome = HandleCall(guest, guest->CallAhead(), in_truth);
  if (outcome == Outcome::kGoes) waits_.erase(guest->tid());
  return outcome;
}

// A signal ended its wait: the handler runs, and behind that the call is made again or has failed (signal(7)). Where no handler runs
// the program stops or ends. Where the call lets the signal in, it comes in the call.
TurnCalls::Outcome TurnCalls::Interrupt(Guest* guest, const StoppedCall& call, const Wait& wait, std::uint64_t caught) {
  if (caught == 0 || wait.mask) return Outcome::kGoes;
  const MadeAgain made_again = IsMadeAgain(call, wait.until.has_value());
  bool goes = made_again != MadeAgain::kNot;
  for (int signal = 1; made_again == MadeAgain::kIfAsked && goes && signal <= 64; ++signal) {
    if ((caught & SignalBit(signal)) == 0) continue;
    // struct sigaction of the kernel: handler, flags, restorer, mask.
    const bool known = guest->Make(SYS_rt_sigaction, {static_cast<std::uint64_t>(signal), 0, guest->scratch(), sizeof(std::uint64_t)}) == 0;
    goes = known && (guest->Scratch(1) & SA_RESTART) != 0;
  }
  if (goes) return Outcome::kGoes;
  TellTimeLeft(guest->tid(), call, wait.until);
  if (IsSleep(call)) {
    const bool by_clock = call.number == SYS_clock_nanosleep;
    const std::uint64_t left_at = call.arguments[by_clock ? 3 : 1];
    const Nanoseconds left = *wait.until - Now();
    if (left <= Nanoseconds(0)) return Answer(guest, 0);
    const bool absolute = by_clock && (call.arguments[1] & TIMER_ABSTIME) != 0;
    if (!absolute && WriteIfAsked(guest->tid(), left_at, ToTimespec(left)) != 0) return Answer(guest, -EFAULT);
  }
  return Answer(guest, -EINTR);
}

TurnCalls::Outcome TurnCalls::HandleCall(Guest* guest, const StoppedCall& call, bool in_truth) {
  const auto waited = waits_.find(guest->tid());
  if (waited != waits_.end() && std::exchange(waited->second.interrupted, false)) {
    const Wait wait = waited->second;
    const std::optional<SignalSets> signals = SignalsOf(guest->tid());
    if (signals && Deliverable(*signals) != 0) {
      const std::uint64_t caught = Deliverable(*signals) & signals->caught;
      if (IsOurs(call)) {
        waits_.erase(waited);
        return Interrupt(guest, call, wait, caught);
      }
      waited->second.caught = caught;
    } else {
      waited->second.anew = true;  // what stopped it was taken back (SIGCONT)
    }
  }
  if (IsAboutTimers(call.number) && run_.machine.Has(VirtualRule::kTime)) {
    const std::optional<std::int64_t> result = timers_.Answer(guest, call);
    return result ? Answer(guest, *result) : Outcome::kGoes;
  }
  switch (call.number) {
    case SYS_futex: return Futex(guest, call);
    case SYS_nanosleep:
    case SYS_clock_nanosleep: return Sleep(guest, call);
    case SYS_sched_yield:
      Answer(guest, 0);
      turns_.End();
      return Outcome::kWaits;
    case SYS_wait4:
    case SYS_waitid: return WaitForChild(guest, call, in_truth);
    case SYS_poll: case SYS_ppoll: case SYS_select: case SYS_pselect6:
    case SYS_epoll_wait: case SYS_epoll_pwait: case SYS_epoll_pwait2: return WaitForFiles(guest, call, in_truth);
    case SYS_read: case SYS_readv: case SYS_recvfrom: case SYS_recvmsg: case SYS_accept: case SYS_accept4:
    case SYS_write: case SYS_writev: case SYS_sendto: case SYS_sendmsg: return UseFile(guest, call, in_truth);
    case SYS_pause: case SYS_rt_sigsuspend: case SYS_rt_sigtimedwait: return WaitForSignal(guest, call, in_truth);
    case SYS_kill: case SYS_tkill: case SYS_tgkill: case SYS_rt_sigqueueinfo: case SYS_rt_tgsigqueueinfo: case SYS_pidfd_send_signal:
      ExpectSignals();
      may_have_killed_ = true;
      return Outcome::kGoes;
    default: return Outcome::kGoes;
  }
}

// Time ---------------------------------------------------------------------------------------------------

TurnCalls::Outcome TurnCalls::Sleep(Guest* guest, const StoppedCall& call) {
  const auto& a = call.arguments;
  if (const auto waited = waits_.find(guest->tid()); waited != waits_.end()) {
    return waited->second.anew ? Until(guest, waited->second.until) : Answer(guest, 0);
  }
  const bool by_clock = call.number == SYS_clock_nanosleep;
  const std::int32_t clock = by_clock ? Int32(a[0]) : CLOCK_MONOTONIC;
  const bool is_date = clock == CLOCK_REALTIME || clock == CLOCK_TAI;
  if (!is_date && clock != CLOCK_MONOTONIC && clock != CLOCK_BOOTTIME) return Outcome::kGoes;
  timespec time{};
  if (!ReadValue(guest->tid(), by_clock ? a[2] : a[0], &time)) return Answer(guest, -EFAULT);
  std::optional<Nanoseconds> until = FromTimespec(time);
  if (!until) return Answer(guest, -EINVAL);
  if (!by_clock || (a[1] & TIMER_ABSTIME) == 0) {
    *until += Now();
  } else if (is_date) {
    *until -= VirtualClock::kEpoch;
  }
  return Until(guest, until);
}

// What the kernel knows ----------------------------------------------------------------------------------

// What the child has used is 0, as in getrusage: the kernel would tell real figures.
TurnCalls::Outcome TurnCalls::WaitForChild(Guest* guest, const StoppedCall& call, bool in_truth) {
  const auto& a = call.arguments;
  const bool by_id = call.number == SYS_waitid;
  const bool has_patience = (a[by_id ? 3 : 2] & WNOHANG) == 0;
  const std::uint64_t usage = run_.machine.Has(VirtualRule::kTime) ? a[by_id ? 4 : 3] : 0;
  if (in_truth || (!has_patience && usage == 0) || (by_id && a[2] == 0)) return Outcome::kGoes;
  siginfo_t info{};
  const std::uint64_t to_kernel = usage != 0 ? 0 : a[by_id ? 4 : 3];
  std::int64_t result = by_id ? guest->Make(SYS_waitid, {a[0], a[1], a[2], a[3] | WNOHANG, to_kernel})
                              : guest->Make(SYS_wait4, {a[0], a[1], a[2] | WNOHANG, to_kernel});
  const bool is_none = by_id ? result == 0 && ReadValue(guest->tid(), a[2], &info) && info.si_pid == 0 : result == 0;
  if (is_none) return has_patience ? Again(guest, std::nullopt, false) : Answer(guest, 0);
  const rusage nothing{};
  if (result >= 0 && usage != 0 && TryWriteTracee(guest->tid(), usage, &nothing, sizeof nothing) != sizeof nothing) result = -EFAULT;
  return Answer(guest, result);
}

TurnCalls::Outcome TurnCalls::WaitForTimedSignal(Guest* guest, const StoppedCall& call, bool in_truth) {
  const auto& a = call.arguments;
  const pid_t task = guest->tid();
  const auto waited = waits_.find(task);
  std::optional<Nanoseconds> until;
  timespec time{};
  if (waited != waits_.end()) {
    until = waited->second.until;
  } else if (a[2] != 0 && ReadValue(task, a[2], &time)) {
    until = FromTimespec(time);
    if (!until || *until == Nanoseconds(0)) return Outcome::kGoes;
    *until += Now();
  }
  if (in_truth && !until) return Outcome::kGoes;
  guest->SetScratch(0, 0);
  guest->SetScratch(1, 0);
  const std::int64_t result = guest->Make(SYS_rt_sigtimedwait, {a[0], a[1], guest->scratch(), a[3]});
  const bool late = waited != waits_.end() && turns_.IsLate(task);
  if (result == -EAGAIN && !late) return Again(guest, until, run_.machine.used_timers());
  siginfo_t info{};
  if (result > 0 && a[1] != 0 && ReadValue(task, a[1], &info) && timers_.TellOverrun(guest->process(), &info)) {
    (void)WriteAnswer(task, a[1], info);
  }
  return Answer(guest, result);
}

TurnCalls::Outcome TurnCalls::WaitForSignal(Guest* guest, const StoppedCall& call, bool in_truth) {
  const pid_t task = guest->tid();
  if (call.number == SYS_rt_sigtimedwait) return WaitForTimedSignal(guest, call, in_truth);
  std::uint64_t mask = 0;
  const bool suspends = call.number == SYS_rt_sigsuspend;
  if (in_truth || (suspends && (call.arguments[1] != sizeof mask || !ReadValue(task, call.arguments[0], &mask)))) return Outcome::kGoes;
  if (suspends) waits_[task].mask = mask;
  const std::optional<SignalSets> signals = SignalsOf(task);
  if (signals && Deliverable(*signals) != 0) return Outcome::kGoes;
  return Again(guest, std::nullopt, run_.machine.used_timers());
}

}  // namespace tally
