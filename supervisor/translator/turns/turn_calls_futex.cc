// futex(2), where tasks take turns: the kernel's queues are ours (futexes.h). Where a task ends, the kernel clears and marks words and would
// wake who waits there; it knows of nobody, so that is done here.
#include <linux/futex.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/process_maps.h"
#include "supervisor/machine/answers.h"
#include "supervisor/resources/proc_status.h"
#include "supervisor/translator/guest/guests.h"
#include "supervisor/translator/guest/translated_run.h"
#include "supervisor/translator/turns/robust_locks.h"
#include "supervisor/translator/turns/turn_calls.h"

namespace tally {
namespace {

constexpr std::uint64_t kCommand = static_cast<std::uint32_t>(FUTEX_CMD_MASK);

// Of shared memory the file and the place in it are what counts. `mappings`: the task's, as they follow each other in memory.
FutexWord SharedWord(const Guest& guest, std::uint64_t address, const std::vector<MapsLine>& mappings) {
  const auto behind = std::upper_bound(mappings.begin(), mappings.end(), address, [](std::uint64_t at, const MapsLine& line) { return at < line.begin; });
  if (behind == mappings.begin()) return {guest.memory(), address};
  const MapsLine& mapping = *std::prev(behind);
  if (!mapping.Holds(address) || !mapping.IsShared()) return {guest.memory(), address};
  constexpr std::uint64_t kOfFiles = 1ULL << 63;
  return {std::hash<std::string>{}(mapping.device_and_file) | kOfFiles, mapping.offset + (address - mapping.begin)};
}

std::uint32_t NumberInProgram(pid_t task) { return static_cast<std::uint32_t>(ProcStatusNumber(task, "NSpid").value_or(0)); }

}  // namespace

FutexWord TurnCalls::WordAt(const Guest& guest, std::uint64_t address, bool is_private) {
  return is_private ? FutexWord{guest.memory(), address} : SharedWord(guest, address, MapsOf(guest.tid()));
}

std::size_t TurnCalls::Wake(FutexWord word, std::size_t most, std::uint32_t bits) {
  const std::vector<pid_t> woken = futexes_.Wake(word, most, bits);
  for (const pid_t task : woken) turns_.Release(task);
  return woken.size();
}

TurnCalls::Outcome TurnCalls::Futex(Guest* guest, const StoppedCall& call) {
  const auto& a = call.arguments;
  const bool is_private = (a[1] & FUTEX_PRIVATE_FLAG) != 0;
  const std::uint64_t operation = a[1] & kCommand;
  if (a[0] % 4 != 0) return Answer(guest, -EINVAL);
  const FutexWord word = WordAt(*guest, a[0], is_private);
  // The kernel wakes one before it looks whether that was enough (kernel/futex/waitwake.c).
  const auto most = [](std::uint64_t n) { return static_cast<std::size_t>(std::max(Int32(n), 1)); };
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
      if (Int32(a[2]) < 0 || Int32(a[3]) < 0) return Answer(guest, -EINVAL);
      const std::size_t woken = Wake(word, static_cast<std::uint32_t>(a[2]), ~0U);
      const std::size_t moved = futexes_.Requeue(word, WordAt(*guest, a[4], is_private), static_cast<std::uint32_t>(a[3]));
      return Answer(guest, static_cast<std::int64_t>(compares ? woken + moved : woken));
    }
    case FUTEX_WAKE_OP: return Answer(guest, FutexWakeOp(guest, call, word, WordAt(*guest, a[4], is_private)).value_or(-EFAULT));
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
    case FUTEX_TRYLOCK_PI: return FutexLock(guest, call, word);
    case FUTEX_UNLOCK_PI: return FutexUnlock(guest, call, word);
    default: return Answer(guest, -ENOSYS);
  }
}

TurnCalls::Outcome TurnCalls::AnswerWoken(Guest* guest) {
  const bool late = futexes_.WordOf(guest->tid()).has_value();  // nobody woke it
  futexes_.Remove(guest->tid());
  return Answer(guest, late ? -ETIMEDOUT : 0);
}

TurnCalls::Outcome TurnCalls::FutexWait(Guest* guest, const StoppedCall& call, FutexWord word) {
  const auto& a = call.arguments;
  const pid_t task = guest->tid();
  const auto waited = waits_.find(task);
  const bool anew = waited != waits_.end() && waited->second.anew;
  if (waited != waits_.end() && !anew) return AnswerWoken(guest);
  const bool bitset = (a[1] & kCommand) == FUTEX_WAIT_BITSET;
  const std::uint32_t bits = bitset ? static_cast<std::uint32_t>(a[5]) : ~0U;
  if (bits == 0) return Answer(guest, -EINVAL);
  std::optional<Nanoseconds> until;
  if (anew) {
    until = waited->second.until;
  } else if (a[3] != 0) {
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
  std::size_t woken = Wake(word, static_cast<std::size_t>(std::max(Int32(a[2]), 1)), ~0U);
  if (wakes) woken += Wake(second, static_cast<std::size_t>(std::max(Int32(a[3]), 1)), ~0U);
  return static_cast<std::int64_t>(woken);
}

// Locks that hand themselves over: the word is the holder's number, as the program sees it.
TurnCalls::Outcome TurnCalls::FutexLock(Guest* guest, const StoppedCall& call, FutexWord word) {
  const auto& a = call.arguments;
  const pid_t task = guest->tid();
  if (const auto waited = waits_.find(task); waited != waits_.end() && !waited->second.anew) return AnswerWoken(guest);
  const std::uint32_t number = NumberInProgram(task);
  std::uint32_t value = 0;
  if (!ReadValue(task, a[0], &value)) return Answer(guest, -EFAULT);
  if ((value & FUTEX_TID_MASK) == 0) {
    value = number | (value & FUTEX_OWNER_DIED) | (futexes_.HasWaiters(word) ? FUTEX_WAITERS : 0U);
    return Answer(guest, WriteAnswer(task, a[0], value));
  }
  if ((value & FUTEX_TID_MASK) == number) return Answer(guest, -EDEADLK);
  if ((a[1] & kCommand) == FUTEX_TRYLOCK_PI) return Answer(guest, -EAGAIN);
  if (!IsThere(value & FUTEX_TID_MASK)) return Answer(guest, -ESRCH);
  std::optional<Nanoseconds> until;
  if (a[3] != 0) {
    timespec time{};
    if (!ReadValue(task, a[3], &time)) return Answer(guest, -EFAULT);
    until = FromTimespec(time);
    if (!until) return Answer(guest, -EINVAL);
    const bool by_date = (a[1] & kCommand) == FUTEX_LOCK_PI || (a[1] & FUTEX_CLOCK_REALTIME) != 0;
    if (by_date) *until -= VirtualClock::kEpoch;
  }
  if (WriteAnswer(task, a[0], value | FUTEX_WAITERS) != 0) return Answer(guest, -EFAULT);
  futexes_.Wait(task, word, ~0U);
  Wait& wait = waits_[task];
  wait.inherits = true;
  wait.address = a[0];
  return Until(guest, until);
}

TurnCalls::Outcome TurnCalls::FutexUnlock(Guest* guest, const StoppedCall& call, FutexWord word) {
  const std::uint64_t address = call.arguments[0];
  std::uint32_t value = 0;
  if (!ReadValue(guest->tid(), address, &value)) return Answer(guest, -EFAULT);
  if ((value & FUTEX_TID_MASK) != NumberInProgram(guest->tid())) return Answer(guest, -EPERM);
  return Answer(guest, HandOver(guest->tid(), address, word, 0));
}

bool TurnCalls::IsThere(std::uint32_t number) const {
  const auto& all = guests_.all();
  return std::any_of(all.begin(), all.end(), [number](const auto& entry) { return NumberInProgram(entry.first) == number; });
}

// The first that waits has the lock, in whose word are more `bits`; the memory is that of `task`.
std::int64_t TurnCalls::HandOver(pid_t task, std::uint64_t address, FutexWord word, std::uint32_t bits) {
  const std::vector<pid_t> next = futexes_.Wake(word, 1, ~0U);
  if (next.empty()) return WriteAnswer(task, address, bits);
  turns_.Release(next[0]);
  return WriteAnswer(task, address, NumberInProgram(next[0]) | (futexes_.HasWaiters(word) ? FUTEX_WAITERS : 0U) | bits);
}

// Ends -----------------------------------------------------------------------------------------------------

void TurnCalls::AtEnd(const Guest& guest) {
  const pid_t task = guest.tid();
  Forget(task);
  ExpectSignals();
  if (futexes_.empty()) return;
  Ending& ending = endings_[task];
  ending.number = NumberInProgram(task);
  if (guest.clears_at_end != 0) ending.words.push_back(WordAt(guest, guest.clears_at_end, false));
  const std::vector<std::uint64_t> locks = RobustLocksOf(task);
  const std::vector<MapsLine> mappings = locks.empty() ? std::vector<MapsLine>{} : MapsOf(task);
  // In shared memory and in the process's own they are found by different names (futex(2), FUTEX_PRIVATE_FLAG).
  for (const std::uint64_t lock : locks) {
    const FutexWord own{guest.memory(), lock}, shared = SharedWord(guest, lock, mappings);
    if (futexes_.HasWaiters(own)) ending.words.push_back(own);
    if (shared != own && futexes_.HasWaiters(shared)) ending.words.push_back(shared);
  }
}

void TurnCalls::Ended(pid_t task) {
  Forget(task);
  const auto found = endings_.find(task);
  if (found == endings_.end()) return;
  const Ending ending = std::move(found->second);
  endings_.erase(found);
  for (const FutexWord word : ending.words) Wake(word, 1, ~0U);
  // Of locks that inherit priority the kernel knows no owner, but marks those in the list.
  for (const auto& [waiter, wait] : waits_) {
    const std::optional<FutexWord> word = wait.inherits ? futexes_.WordOf(waiter) : std::nullopt;
    std::uint32_t value = 0;
    if (!word || !ReadValue(waiter, wait.address, &value)) continue;
    const std::uint32_t owner = value & FUTEX_TID_MASK;
    if (owner == ending.number || (owner == 0 && (value & FUTEX_OWNER_DIED) != 0)) (void)HandOver(waiter, wait.address, *word, FUTEX_OWNER_DIED);
  }
}

}  // namespace tally
