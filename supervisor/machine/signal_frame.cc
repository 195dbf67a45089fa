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

// struct _fpstate and struct _fpx_sw_bytes in it (arch/x86/include/uapi/asm/sigcontext.h): between the registers of SSE and the latter nobody
// writes. Behind the state's header, at 512, come AVX's upper halves.
constexpr std::uint64_t kReserved = 416, kSoftware = 464, kAvxEnd = 832;
constexpr std::uint64_t kUpToAvx = 7;
constexpr std::uint64_t kX87 = 32, kX87Slot = 16, kX87Bytes = 10;
struct SoftwareBytes {
  std::uint32_t magic, extended_size;
  std::uint64_t features;
  std::uint32_t state_size;
};

// The state as the kernel wrote it, with all that belongs to its size.
void MakeVirtual(std::uint64_t components, std::uint8_t* state, std::size_t size) {
  std::memset(state + kReserved, 0, kSoftware - kReserved);
  // Behind the ten bytes of each x87 register, which emulators alone leave as they were.
  for (std::uint64_t at = kX87; at < kX87 + 8 * kX87Slot; at += kX87Slot) std::memset(state + at + kX87Bytes, 0, kX87Slot - kX87Bytes);
  SoftwareBytes software{};
  std::memcpy(&software, state + kSoftware, sizeof software);
  if ((components & ~kUpToAvx) != 0 || software.magic != FP_XSTATE_MAGIC1 || software.state_size < kAvxEnd) return;
  constexpr std::uint32_t kEnd = FP_XSTATE_MAGIC2;
  software.state_size = kAvxEnd;
  software.extended_size = kAvxEnd + sizeof kEnd;
  std::memcpy(state + kSoftware, &software, sizeof software);
  std::memset(state + kAvxEnd, 0, size - kAvxEnd);
  std::memcpy(state + kAvxEnd, &kEnd, sizeof kEnd);
}

template <typename T>
T In(const std::vector<std::uint8_t>& bytes, std::uint64_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// The alternate stack, as the kernel asks about it (include/linux/sched/signal.h, on_sig_stack).
struct AlternateStack {
  explicit AlternateStack(const std::vector<std::uint8_t>& frame) {
    const auto stack = In<stack_t>(frame, kContextAt + offsetof(ucontext_t, uc_stack));
    begin = reinterpret_cast<std::uint64_t>(stack.ss_sp);
    size = stack.ss_size;
  }
  [[nodiscard]] bool Holds(std::uint64_t address) const { return address > begin && address - begin <= size; }
  std::uint64_t begin, size;
};

// The first thread's stack grows with what is written below it; by a word from ptrace(2), too, but not by process_vm_writev(2)
// (mm/memory.c, __access_remote_vm; mm/gup.c).
bool LetGrow(pid_t tid, std::uint64_t at, std::uint64_t down_to) {
  const std::vector<MapsLine> maps = MapsOf(tid);
  const bool is_stack = std::any_of(maps.begin(), maps.end(), [&](const MapsLine& line) { return line.Holds(at) && line.name == "[stack]"; });
  const bool is_free = std::none_of(maps.begin(), maps.end(), [&](const MapsLine& line) { return line.Holds(down_to); });
  return is_stack && is_free && ::ptrace(PTRACE_POKEDATA, tid, down_to, 0) == 0;
}

}  // namespace

FrameMove MoveFrame(pid_t tid, std::uint64_t components, user_regs_struct* at_entry) {
  const std::uint64_t at = at_entry->rsp;
  std::vector<std::uint8_t> frame(kFrameBytes);
  if (ReadTracee(tid, at, frame.data(), frame.size()) != frame.size()) return FrameMove::kStays;
  const AlternateStack alternate(frame);
  const auto before = static_cast<std::uint64_t>(In<greg_t>(frame, kContextAt + offsetof(ucontext_t, uc_mcontext.gregs) + REG_RSP * sizeof(greg_t)));
  const bool enters = alternate.Holds(at) && !alternate.Holds(before - kRedZone);
  const std::uint64_t top = enters ? alternate.begin + alternate.size : before - kRedZone, state = In<std::uint64_t>(frame, kStateInFrame);
  const std::uint64_t new_state = Down(top - kLargestState, kStateAlignment);
  const std::uint64_t new_at = Down(new_state - kFrameBytes, kFrameAlignment) - 8;
  if (state <= at || state >= top || new_at > at || new_state > state || top - state < kAvxEnd + 4) return FrameMove::kStays;
  if (alternate.Holds(at) && !alternate.Holds(new_at)) return enters ? FrameMove::kStays : FrameMove::kNoRoom;

  std::vector<std::uint8_t> moved(top - new_at);  // what is not copied is zero
  if (ReadTracee(tid, state, moved.data() + (new_state - new_at), top - state) != top - state) return FrameMove::kStays;
  MakeVirtual(components, moved.data() + (new_state - new_at), top - state);
  std::memcpy(moved.data(), frame.data(), frame.size());
  std::memcpy(moved.data() + kStateInFrame, &new_state, sizeof new_state);
  const auto write = [&] { return TryWriteTracee(tid, new_at, moved.data(), moved.size()) == moved.size(); };
  if (!write() && !(LetGrow(tid, at, new_at) && write())) return FrameMove::kStays;  // what cannot be written is the beginning, so nothing was
  at_entry->rsp = new_at;
  at_entry->rdx = new_at + kContextAt;
  at_entry->rsi = new_at + kInfoAt;
  return FrameMove::kMoved;
}

}  // namespace tally
