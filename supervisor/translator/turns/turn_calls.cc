#include "supervisor/translator/turns/turn_calls.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/process_maps.h"
#include "supervisor/machine/answers.h"
#include "supervisor/resources/proc_status.h"
#include "supervisor/translator/guest/guest.h"
#include "supervisor/translator/guest/translated_run.h"

namespace tally {
namespace {

constexpr std::uint32_t kConcernOthers[] = {
    SYS_futex, SYS_nanosleep, SYS_clock_nanosleep, SYS_sched_yield, SYS_wait4, SYS_waitid, SYS_poll, SYS_ppoll, SYS_select, SYS_pselect6,
    SYS_epoll_wait, SYS_epoll_pwait, SYS_epoll_pwait2, SYS_read, SYS_readv, SYS_recvfrom, SYS_recvmsg, SYS_accept, SYS_accept4, SYS_write,
    SYS_writev, SYS_sendto, SYS_sendmsg, SYS_pause, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_kill, SYS_tkill, SYS_tgkill,
    SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_set_tid_address};

// What poll(2) is asked in scratch.
constexpr std::uint64_t PollWord(std::uint64_t descriptor, std::uint64_t events) { return (descriptor & 0xffff'ffff) | events << 32; }

// A file of which no read or write waits for another task.
bool IsPlainFile(const std::string& name) {
  return name.starts_with("/") && (!name.starts_with("/dev/") || name == "/dev/null" || name == "/dev/zero" || name.ends_with("random"));
}

bool Writes(std::uint64_t number) {
  return number == SYS_write || number == SYS_writev || number == SYS_sendto || number == SYS_sendmsg;
}

// May the kernel let it wait, with a file of this name? Others it answers or refuses at once.
bool MayWait(pid_t tid, const StoppedCall& call, const std::string& name) {
  if (name.empty() || IsPlainFile(name)) return false;
  constexpr std::string_view kKinds[] = {"/", "pipe:", "socket:", "anon_inode:[eventfd]", "anon_inode:[timerfd]", "anon_inode:[signalfd]", "anon_inode:inotify"};
  if (std::none_of(std::begin(kKinds), std::end(kKinds), [&](std::string_view kind) { return name.starts_with(kind); })) return false;
  std::array<std::uint64_t, 2> first{};  // of the list of buffers
  switch (call.number) {
    case SYS_read: case SYS_write: return call.arguments[2] != 0;
    case SYS_readv: case SYS_writev: return call.arguments[2] != 0 && ReadValue(tid, call.arguments[1], &first);
    case SYS_recvmsg: case SYS_sendmsg: return name.starts_with("socket:") && ReadValue(tid, call.arguments[1], &first);
    default: return name.starts_with("socket:");
  }
}

std::string FileName(pid_t tid, std::uint64_t descriptor) {
  std::array<char, 256> name{};
  const ssize_t size = ::readlink(fmt::format("/proc/{}/fd/{}", tid, static_cast<std::uint32_t>(descriptor)).c_str(), name.data(), name.size());
  return size < 0 ? "" : std::string(name.data(), static_cast<std::size_t>(size));
}

constexpr std::uint64_t SignalBit(int signal) { return 1ULL << (signal - 1); }
constexpr std::uint64_t kIgnoredByDefault = SignalBit(SIGCHLD) | SignalBit(SIGURG) | SignalBit(SIGWINCH) | SignalBit(SIGCONT);

// Those that end a wait.
std::uint64_t Deliverable(const SignalSets& sets, std::uint64_t taken = 0) {
  const std::uint64_t without_effect = sets.ignored | (kIgnoredByDefault & ~sets.caught);
  return (sets.own | (sets.of_process & ~taken)) & ~sets.blocked & ~without_effect;
}

}  // namespace

namespace {

// Behind a handler with SA_RESTART.
bool MayBeMadeAgain(const StoppedCall& call) {
  switch (call.number) {
    case SYS_read: case SYS_readv: case SYS_recvfrom: case SYS_recvmsg: case SYS_accept: case SYS_accept4: case SYS_write: case SYS_writev:
    case SYS_sendto: case SYS_sendmsg: case SYS_wait4: case SYS_waitid: return true;
    case SYS_futex: return call.arguments[3] == 0;
    default: return false;
  }
}

}  // namespace

bool MayConcernOthers(std::optional<std::uint32_t> number) {
  return !number || IsAboutTimers(*number) || std::find(std::begin(kConcernOthers), std::end(kConcernOthers), *number) != std::end(kConcernOthers);
}

Nanoseconds TurnCalls::Now() const { return run_.machine.clock().SinceStart(run_.counts.Instructions()); }

TurnCalls::Outcome TurnCalls::Answer(Guest* guest, std::int64_t result) {
  waits_.erase(guest->tid());
  guest->AnswerCallAhead(result);
  return Outcome::kAnswered;
}

TurnCalls::Outcome TurnCalls::Until(Guest* guest, std::optional<Nanoseconds> moment) {
  waits_[guest->tid()].until = moment;
  turns_.WaitUntil(moment);
  return Outcome::kWaits;
}

TurnCalls::Outcome TurnCalls::Again(Guest* guest, std::optional<Nanoseconds> moment, bool outside) {
  waits_[guest->tid()].until = moment;
  turns_.TryAgain(moment, outside);
  return Outcome::kWaits;
}

void TurnCalls::Forget(pid_t task) {
  futexes_.Remove(task);
  waits_.erase(task);
}

void TurnCalls::SeeSignals() {
  if (!std::exchange(signals_sent_, false)) return;
  std::uint64_t taken = 0;  // of those for a process one task takes each
  for (auto& [task, wait] : waits_) {
    const std::optional<SignalSets> signals = SignalSetsOf(task);
    if (!signals || Deliverable(*signals, taken) == 0) continue;
    taken |= signals->of_process;
    wait.interrupted = true;
    futexes_.Remove(task);
    turns_.Release(task);
  }
}

void TurnCalls::NoteOutside(pid_t task) {
  for (std::size_t i = 0; i < outside_.size(); ++i) outside_[i] = FileName(task, i);
}

TurnCalls::Outcome TurnCalls::Handle(Guest* guest, bool in_truth) {
  waited_outside_ = waited_outside_ || in_truth;
  if (!waits_.contains(guest->tid()) && MayConcernOthers(guest->CallAhead().number)) guest->SpendTurn(Turns::kOfCall);
  const Outcome outcome = HandleCall(guest, guest->CallAhead(), in_truth);
  if (outcome == Outcome::kGoes) waits_.erase(guest->tid());
  return outcome;
}

// A signal ended its wait: the handler runs, and behind that the call is made again or has failed (signal(7)). Where no handler runs
// the program stops or ends.
TurnCalls::Outcome TurnCalls::Interrupt(Guest* guest, const StoppedCall& call, std::uint64_t caught) {
  if (caught == 0) return Outcome::kGoes;
  bool is_made_again = MayBeMadeAgain(call);
  for (int signal = 1; is_made_again && signal <= 64; ++signal) {
    if ((caught & SignalBit(signal)) == 0) continue;
    // struct sigaction of the kernel: handler, flags, restorer, mask.
    const bool known = guest->Make(SYS_rt_sigaction, {static_cast<std::uint64_t>(signal), 0, guest->scratch(), sizeof(std::uint64_t)}) == 0;
    is_made_again = known && (guest->Scratch(1) & SA_RESTART) != 0;
  }
  return is_made_again ? Outcome::kGoes : Answer(guest, -EINTR);
}

TurnCalls::Outcome TurnCalls::HandleCall(Guest* guest, const StoppedCall& call, bool in_truth) {
  const auto waited = waits_.find(guest->tid());
  if (waited != waits_.end() && waited->second.interrupted) {
    const std::uint64_t written = waited->second.written;
    waits_.erase(waited);
    if (written != 0) return Answer(guest, static_cast<std::int64_t>(written));
    const std::optional<SignalSets> signals = SignalSetsOf(guest->tid());
    // What stopped it may have been taken back (SIGCONT); then it waits anew.
    if (!signals || Deliverable(*signals) == 0) return HandleCall(guest, call, in_truth);
    return Interrupt(guest, call, Deliverable(*signals) & signals->caught);
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
    case SYS_kill: case SYS_tkill: case SYS_tgkill: case SYS_rt_sigqueueinfo: case SYS_rt_tgsigqueueinfo:
      ExpectSignals();
      return Outcome::kGoes;
    default: return Outcome::kGoes;
  }
}

// futex(2) -----------------------------------------------------------------------------------------------

// Of shared memory the file and the place in it are what counts.
FutexWord TurnCalls::WordAt(const Guest& guest, std::uint64_t address, bool is_private) const {
  if (!is_private) {
    for (const MapsLine& mapping : MapsOf(guest.tid())) {
      if (!mapping.Holds(address) || !mapping.IsShared()) continue;
      constexpr std::uint64_t kOfFiles = 1ULL << 63;
      return {std::hash<std::string>{}(mapping.device_and_file) | kOfFiles, mapping.offset + (address - mapping.begin)};
    }
  }
  return {guest.memory(), address};
}

std::size_t TurnCalls::Wake(FutexWord word, std::size_t most, std::uint32_t bits) {
  const std::vector<pid_t> woken = futexes_.Wake(word, most, bits);
  for (const pid_t task : woken) turns_.Release(task);
  return woken.size();
}

TurnCalls::Outcome TurnCalls::Futex(Guest* guest, const StoppedCall& call) {
  const auto& a = call.arguments;
  const bool is_private = (a[1] & FUTEX_PRIVATE_FLAG) != 0;
  const std::uint64_t operation = a[1] & static_cast<std::uint64_t>(FUTEX_CMD_MASK) & 0xffff'ffff;
  if (a[0] % 4 != 0) return Answer(guest, -EINVAL);
  const FutexWord word = WordAt(*guest, a[0], is_private);
  const auto most = [](std::uint64_t n) { return static_cast<std::size_t>(std::max(Int32(n), 0)); };
  switch (operation) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: return FutexWait(guest, call, word);
    case FUTEX_WAKE: return Answer(guest, static_cast<std::int64_t>(Wake(word, most(a[2]), ~0U)));
    case FUTEX_WAKE_BITSET: return Answer(guest, static_cast<std::int64_t>(Wake(word, most(a[2]), static_cast<std::uint32_t>(a[5]))));
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE: {
      std::uint32_t value = 0;
      const bool compares = operation == FUTEX_CMP_REQUEUE;
      if (compares && !ReadValue(guest->tid(), a[0], &value)) return Answer(guest, -EFAULT);
      if (compares && value != static_cast<std::uint32_t>(a[5])) return Answer(guest, -EAGAIN);
      const std::size_t woken = Wake(word, most(a[2]), ~0U);
      const std::size_t moved = futexes_.Requeue(word, WordAt(*guest, a[4], is_private), most(a[3]));
      return Answer(guest, static_cast<std::int64_t>(compares ? woken + moved : woken));
    }
    case FUTEX_WAKE_OP: return Answer(guest, FutexWakeOp(guest, call, word, WordAt(*guest, a[4], is_private)).value_or(-EFAULT));
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
    case FUTEX_TRYLOCK_PI: return FutexLock(guest, call, word);
    case FUTEX_UNLOCK_PI: return FutexUnlock(guest, word);
    default: return Answer(guest, -ENOSYS);
  }
}

TurnCalls::Outcome TurnCalls::AnswerWoken(Guest* guest) {
  const bool late = turns_.IsLate(guest->tid());
  futexes_.Remove(guest->tid());
  return Answer(guest, late ? -ETIMEDOUT : 0);
}

TurnCalls::Outcome TurnCalls::FutexWait(Guest* guest, const StoppedCall& call, FutexWord word) {
  const auto& a = call.arguments;
  const pid_t task = guest->tid();
  if (waits_.contains(task)) return AnswerWoken(guest);
  const bool bitset = (a[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
  const std::uint32_t bits = bitset ? static_cast<std::uint32_t>(a[5]) : ~0U;
  if (bits == 0) return Answer(guest, -EINVAL);
  std::optional<Nanoseconds> until;
  if (a[3] != 0) {
    timespec time{};
    if (!ReadValue(task, a[3], &time)) return Answer(guest, -EFAULT);
    until = FromTimespec(time);
    if (!until) return Answer(guest, -EINVAL);
    if (!bitset) *until += Now();
    if (bitset && (a[1] & FUTEX_CLOCK_REALTIME) != 0) *until -= VirtualClock::kEpoch;
  }
  std::uint32_t value = 0;
  if (!ReadValue(task, a[0], &value)) return Answer(guest, -EFAULT);
  if (value != static_cast<std::uint32_t>(a[2])) return Answer(guest, -EAGAIN);
  if (until && *until <= Now()) return Answer(guest, -ETIMEDOUT);
  futexes_.Wait(task, word, bits);
  return Until(guest, until);
}

// As include/uapi/linux/futex.h encodes it: what becomes of the second word, and whether those that wait there are woken, too.
std::optional<std::int64_t> TurnCalls::FutexWakeOp(Guest* guest, const StoppedCall& call, FutexWord word, FutexWord second) {
  const auto& a = call.arguments;
  const auto encoded = static_cast<std::uint32_t>(a[5]);
  const auto signed_12 = [](std::uint32_t value) { return static_cast<std::int32_t>(value << 20) >> 20; };
  std::int32_t argument = signed_12(encoded >> 12);
  const std::int32_t compared = signed_12(encoded);
  if ((encoded >> 28 & FUTEX_OP_OPARG_SHIFT) != 0) argument = static_cast<std::int32_t>(1U << (static_cast<std::uint32_t>(argument) & 31U));
  std::int32_t old = 0;
  if (!ReadValue(guest->tid(), a[4], &old)) return std::nullopt;
  std::int32_t value = 0;
  switch (encoded >> 28 & 7) {
    case FUTEX_OP_SET: value = argument; break;
    case FUTEX_OP_ADD: value = static_cast<std::int32_t>(static_cast<std::uint32_t>(old) + static_cast<std::uint32_t>(argument)); break;
    case FUTEX_OP_OR: value = old | argument; break;
    case FUTEX_OP_ANDN: value = old & ~argument; break;
    case FUTEX_OP_XOR: value = old ^ argument; break;
    default: return -ENOSYS;
  }
  if (WriteAnswer(guest->tid(), a[4], value) != 0) return std::nullopt;
  bool wakes = false;
  switch (encoded >> 24 & 15) {
    case FUTEX_OP_CMP_EQ: wakes = old == compared; break;
    case FUTEX_OP_CMP_NE: wakes = old != compared; break;
    case FUTEX_OP_CMP_LT: wakes = old < compared; break;
    case FUTEX_OP_CMP_LE: wakes = old <= compared; break;
    case FUTEX_OP_CMP_GT: wakes = old > compared; break;
    case FUTEX_OP_CMP_GE: wakes = old >= compared; break;
    default: return -ENOSYS;
  }
  std::size_t woken = Wake(word, static_cast<std::size_t>(std::max(Int32(a[2]), 0)), ~0U);
  if (wakes) woken += Wake(second, static_cast<std::size_t>(std::max(Int32(a[3]), 0)), ~0U);
  return static_cast<std::int64_t>(woken);
}

// Locks that hand themselves over: the word is the holder's number, as the program sees it.
TurnCalls::Outcome TurnCalls::FutexLock(Guest* guest, const StoppedCall& call, FutexWord word) {
  const auto& a = call.arguments;
  const pid_t task = guest->tid();
  if (waits_.contains(task)) return AnswerWoken(guest);
  const auto number = static_cast<std::uint32_t>(ProcStatusNumber(task, "NSpid").value_or(0));
  std::uint32_t value = 0;
  if (!ReadValue(task, a[0], &value)) return Answer(guest, -EFAULT);
  if ((value & FUTEX_TID_MASK) == 0) {
    value = number | (value & FUTEX_OWNER_DIED) | (futexes_.HasWaiters(word) ? FUTEX_WAITERS : 0U);
    return Answer(guest, WriteAnswer(task, a[0], value));
  }
  if ((value & FUTEX_TID_MASK) == number) return Answer(guest, -EDEADLK);
  if ((a[1] & FUTEX_CMD_MASK) == FUTEX_TRYLOCK_PI) return Answer(guest, -EAGAIN);
  std::optional<Nanoseconds> until;
  if (a[3] != 0) {
    timespec time{};
    if (!ReadValue(task, a[3], &time)) return Answer(guest, -EFAULT);
    until = FromTimespec(time);
    if (!until) return Answer(guest, -EINVAL);
    const bool by_date = (a[1] & FUTEX_CMD_MASK) == FUTEX_LOCK_PI || (a[1] & FUTEX_CLOCK_REALTIME) != 0;
    if (by_date) *until -= VirtualClock::kEpoch;
  }
  if (WriteAnswer(task, a[0], value | FUTEX_WAITERS) != 0) return Answer(guest, -EFAULT);
  futexes_.Wait(task, word, ~0U);
  return Until(guest, until);
}

TurnCalls::Outcome TurnCalls::FutexUnlock(Guest* guest, FutexWord word) {
  const std::uint64_t address = guest->CallAhead().arguments[0];
  const auto number = static_cast<std::uint32_t>(ProcStatusNumber(guest->tid(), "NSpid").value_or(0));
  std::uint32_t value = 0;
  if (!ReadValue(guest->tid(), address, &value)) return Answer(guest, -EFAULT);
  if ((value & FUTEX_TID_MASK) != number) return Answer(guest, -EPERM);
  const std::vector<pid_t> next = futexes_.Wake(word, 1, ~0U);
  std::uint32_t left = 0;
  if (!next.empty()) {
    left = static_cast<std::uint32_t>(ProcStatusNumber(next[0], "NSpid").value_or(0)) | (futexes_.HasWaiters(word) ? FUTEX_WAITERS : 0U);
    turns_.Release(next[0]);
  }
  return Answer(guest, WriteAnswer(guest->tid(), address, left));
}

// Time ---------------------------------------------------------------------------------------------------

TurnCalls::Outcome TurnCalls::Sleep(Guest* guest, const StoppedCall& call) {
  const auto& a = call.arguments;
  if (waits_.contains(guest->tid())) return Answer(guest, 0);
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

TurnCalls::Outcome TurnCalls::WaitForChild(Guest* guest, const StoppedCall& call, bool in_truth) {
  const auto& a = call.arguments;
  const bool by_id = call.number == SYS_waitid;
  if (in_truth || (a[by_id ? 3 : 2] & WNOHANG) != 0 || (by_id && a[2] == 0)) return Outcome::kGoes;
  if (!by_id) {
    const std::int64_t result = guest->Make(SYS_wait4, {a[0], a[1], a[2] | WNOHANG, a[3]});
    return result != 0 ? Answer(guest, result) : Again(guest, std::nullopt, false);
  }
  const std::int64_t result = guest->Make(SYS_waitid, {a[0], a[1], a[2], a[3] | WNOHANG, a[4]});
  siginfo_t info{};
  if (result == 0 && ReadValue(guest->tid(), a[2], &info) && info.si_pid == 0) return Again(guest, std::nullopt, false);
  return Answer(guest, result);
}

TurnCalls::Outcome TurnCalls::WaitForFiles(Guest* guest, const StoppedCall& call, bool in_truth) {
  const auto& a = call.arguments;
  const pid_t task = guest->tid();
  const bool selects = call.number == SYS_select || call.number == SYS_pselect6;
  const bool in_milliseconds = call.number == SYS_poll || call.number == SYS_epoll_wait || call.number == SYS_epoll_pwait;
  const std::uint64_t time_at = call.number == SYS_ppoll ? a[2] : selects ? a[4] : a[3];
  const auto waited = waits_.find(task);
  std::optional<Nanoseconds> until;
  if (waited != waits_.end()) {
    until = waited->second.until;
  } else if (in_milliseconds) {
    const std::int32_t longest = Int32(a[call.number == SYS_poll ? 2 : 3]);
    if (longest == 0) return Outcome::kGoes;
    if (longest > 0) until = Now() + Milliseconds(longest);
  } else if (time_at != 0) {
    timespec time{};
    if (!ReadValue(task, time_at, &time)) return Outcome::kGoes;
    if (call.number == SYS_select) time.tv_nsec *= 1000;
    until = FromTimespec(time);
    if (!until || *until == Nanoseconds(0)) return Outcome::kGoes;
    *until += Now();
  }
  if (in_truth && !until) return Outcome::kGoes;
  guest->SetScratch(0, 0);
  guest->SetScratch(1, 0);
  const std::uint64_t nothing = guest->scratch();
  // What select(2) leaves in its sets when the time is over is nothing.
  const std::size_t set_bytes = selects ? (std::min<std::uint64_t>(a[0], 65536) + 63) / 64 * 8 : 0;
  std::array<std::vector<std::uint8_t>, 3> sets;
  for (std::size_t i = 0; selects && i < sets.size(); ++i) {
    if (a[1 + i] == 0) continue;
    sets[i].resize(set_bytes);
    sets[i].resize(ReadTracee(task, a[1 + i], sets[i].data(), set_bytes));
  }
  std::int64_t result = 0;
  switch (call.number) {
    case SYS_poll: result = guest->Make(SYS_poll, {a[0], a[1], 0}); break;
    case SYS_ppoll: result = guest->Make(SYS_ppoll, {a[0], a[1], nothing, a[3], a[4]}); break;
    case SYS_epoll_wait: result = guest->Make(SYS_epoll_wait, {a[0], a[1], a[2], 0}); break;
    case SYS_epoll_pwait: result = guest->Make(SYS_epoll_pwait, {a[0], a[1], a[2], 0, a[4], a[5]}); break;
    case SYS_epoll_pwait2: result = guest->Make(SYS_epoll_pwait2, {a[0], a[1], a[2], nothing, a[4], a[5]}); break;
    case SYS_select: result = guest->Make(SYS_select, {a[0], a[1], a[2], a[3], nothing}); break;
    default: result = guest->Make(SYS_pselect6, {a[0], a[1], a[2], a[3], nothing, a[5]}); break;
  }
  if (result != 0 || (waited != waits_.end() && turns_.IsLate(task))) return Answer(guest, result);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (!sets[i].empty()) TryWriteTracee(task, a[1 + i], sets[i].data(), sets[i].size());
  }
  return Again(guest, until, true);
}

std::optional<TurnCalls::Outcome> TurnCalls::ReadTimer(Guest* guest, const StoppedCall& call) {
  const auto& a = call.arguments;
  const std::optional<std::int64_t> result = timers_.Read(*guest, a[0], a[1], a[2]);
  if (!result) return std::nullopt;
  const bool waits = *result == -EAGAIN && (guest->Make(SYS_fcntl, {a[0], F_GETFL, 0}) & O_NONBLOCK) == 0;
  return waits ? Again(guest, std::nullopt, false) : Answer(guest, *result);
}

TurnCalls::Outcome TurnCalls::UseFile(Guest* guest, const StoppedCall& call, bool in_truth) {
  const auto& a = call.arguments;
  const std::string name = FileName(guest->tid(), a[0]);
  if (call.number == SYS_read && name == "anon_inode:[timerfd]") {
    if (const auto outcome = ReadTimer(guest, call)) return *outcome;
  }
  if (in_truth || !MayWait(guest->tid(), call, name)) return Outcome::kGoes;
  const bool is_outside = std::find(outside_.begin(), outside_.end(), name) != outside_.end();
  if (is_outside && turns_.size() == 1) return Outcome::kGoes;
  const bool writes = Writes(call.number);
  const std::int64_t mode = guest->Make(SYS_fcntl, {a[0], F_GETFL, 0});
  // The kernel refuses one, and does not let the other wait.
  const bool refused = mode < 0 || (mode & O_PATH) != 0 || (mode & O_ACCMODE) == (writes ? O_RDONLY : O_WRONLY);
  if (refused || (mode & O_NONBLOCK) != 0) return Outcome::kGoes;
  const std::uint64_t flags = call.number == SYS_recvfrom || call.number == SYS_sendto   ? a[3]
                              : call.number == SYS_recvmsg || call.number == SYS_sendmsg ? a[2]
                                                                                         : 0;
  if ((flags & MSG_DONTWAIT) != 0) return Outcome::kGoes;
  if (is_outside && writes) return Outcome::kGoes;  // whoever reads it is not of the program
  waited_outside_ = waited_outside_ || is_outside;
  const auto is_ready = [&] {
    guest->SetScratch(0, PollWord(a[0], writes ? POLLOUT : POLLIN));
    return guest->Make(SYS_poll, {guest->scratch(), 1, 0}) != 0;
  };
  // A pipe that is ready has room for a page, and a write of more waits for the rest.
  constexpr std::uint64_t kPipePart = 4096;
  std::uint64_t& written = waits_[guest->tid()].written;
  const bool in_parts = call.number == SYS_write && name.starts_with("pipe:") && a[2] > kPipePart;
  while (in_parts && written < a[2] && is_ready()) {
    const std::int64_t result = guest->Make(SYS_write, {a[0], a[1] + written, std::min(a[2] - written, kPipePart)});
    if (result < 0) return Answer(guest, written != 0 ? static_cast<std::int64_t>(written) : result);
    written += static_cast<std::uint64_t>(result);
  }
  if (in_parts && written == a[2]) return Answer(guest, static_cast<std::int64_t>(written));
  if (!in_parts && is_ready()) return Outcome::kGoes;
  const bool among_tasks = !is_outside && (name.starts_with("pipe:") || name == "anon_inode:[eventfd]");
  return Again(guest, std::nullopt, !among_tasks);
}

TurnCalls::Outcome TurnCalls::WaitForSignal(Guest* guest, const StoppedCall& call, bool in_truth) {
  const auto& a = call.arguments;
  const pid_t task = guest->tid();
  if (call.number == SYS_rt_sigtimedwait) {
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
    return result != -EAGAIN || late ? Answer(guest, result) : Again(guest, until, run_.machine.used_timers());
  }
  std::optional<SignalSets> signals = SignalSetsOf(task);
  if (signals && call.number == SYS_rt_sigsuspend && !ReadValue(task, a[0], &signals->blocked)) in_truth = true;
  const bool comes = signals && Deliverable(*signals) != 0;
  if (in_truth || comes) return Outcome::kGoes;
  return Again(guest, std::nullopt, run_.machine.used_timers());
}

}  // namespace tally
