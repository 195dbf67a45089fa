#include "supervisor/machine/signal_frame.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <ucontext.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "base/process_maps.h"
#include "supervisor/tracing/tracee.h"

namespace tally {
namespace {

constexpr std::uint64_t kRedZone = 128;
constexpr std::uint64_t kLargestState = 2696 + 4;  // AVX-512 and protection keys on Intel's processors, and FP_XSTATE_MAGIC2
constexpr std::uint64_t kStateAlignment = 64, kFrameAlignment = 16;
// struct rt_sigframe: the return address, the kernel's ucontext, whose mask has 8 bytes, and siginfo.
constexpr std::uint64_t kContextAt = 8, kInfoAt = kContextAt + offsetof(ucontext_t, uc_sigmask) + 8;
constexpr std::uint64_t kFrameBytes = kInfoAt + sizeof(siginfo_t);
constexpr std::uint64_t kStateInFrame = kContextAt + offsetof(ucontext_t, uc_mcontext.fpregs);
static_assert(kFrameBytes == 440);

constexpr std::uint64_t Down(std::uint64_t value, std::uint64_t alignment) { return value / alignment * alignment; }

template <typename T>
T In(const std::vector<std::uint8_t>& bytes, std::uint64_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// What the kernel began at.
std::uint64_t TopOf(const std::vector<std::uint8_t>& frame, std::uint64_t at) {
  const auto stack = In<stack_t>(frame, kContextAt + offsetof(ucontext_t, uc_stack));
  const auto begin = reinterpret_cast<std::uint64_t>(stack.ss_sp);
  const auto is_on_it = [&](std::uint64_t address) { return stack.ss_size != 0 && address > begin && address - begin <= stack.ss_size; };
  const auto before = static_cast<std::uint64_t>(In<greg_t>(frame, kContextAt + offsetof(ucontext_t, uc_mcontext.gregs) + REG_RSP * sizeof(greg_t)));
  return is_on_it(at) && !is_on_it(before - kRedZone) ? begin + stack.ss_size : before - kRedZone;
}

// Below an alternate stack lies something else.
bool IsBelowStack(const std::vector<std::uint8_t>& frame, std::uint64_t at, std::uint64_t moved) {
  const auto begin = reinterpret_cast<std::uint64_t>(In<stack_t>(frame, kContextAt + offsetof(ucontext_t, uc_stack)).ss_sp);
  return moved < begin && at >= begin && TopOf(frame, at) > begin;
}

// The first thread's stack grows with what is written below it; by a word from ptrace(2), too, but not by process_vm_writev(2)
// (mm/memory.c, __access_remote_vm; mm/gup.c).
bool LetGrow(pid_t tid, std::uint64_t at, std::uint64_t down_to) {
  const std::vector<MapsLine> maps = MapsOf(tid);
  const bool is_stack = std::any_of(maps.begin(), maps.end(), [&](const MapsLine& line) { return line.Holds(at) && line.name == "[stack]"; });
  const bool is_free = std::none_of(maps.begin(), maps.end(), [&](const MapsLine& line) { return line.Holds(down_to); });
  return is_stack && is_free && ::ptrace(PTRACE_POKEDATA, tid, down_to, 0) == 0;
}

}  // namespace

bool MoveFrame(pid_t tid, user_regs_struct* at_entry) {
  const std::uint64_t at = at_entry->rsp;
  std::vector<std::uint8_t> frame(kFrameBytes);
  if (ReadTracee(tid, at, frame.data(), frame.size()) != frame.size()) return false;
  const std::uint64_t top = TopOf(frame, at), state = In<std::uint64_t>(frame, kStateInFrame);
  const std::uint64_t new_state = Down(top - kLargestState, kStateAlignment);
  const std::uint64_t new_at = Down(new_state - kFrameBytes, kFrameAlignment) - 8;
  if (state <= at || state >= top || new_at >= at || new_state >= state || IsBelowStack(frame, at, new_at)) return false;

  std::vector<std::uint8_t> moved(top - new_at);  // what is not copied is zero
  if (ReadTracee(tid, state, moved.data() + (new_state - new_at), top - state) != top - state) return false;
  std::memcpy(moved.data(), frame.data(), frame.size());
  std::memcpy(moved.data() + kStateInFrame, &new_state, sizeof new_state);
  const auto write = [&] { return TryWriteTracee(tid, new_at, moved.data(), moved.size()) == moved.size(); };
  if (!write() && !(LetGrow(tid, at, new_at) && write())) return false;  // what cannot be written is the beginning, so nothing was
  at_entry->rsp = new_at;
  at_entry->rdx = new_at + kContextAt;
  at_entry->rsi = new_at + kInfoAt;
  return true;
}

}  // namespace tally
