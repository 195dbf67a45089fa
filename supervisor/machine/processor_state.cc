#include "supervisor/machine/processor_state.h"

#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "supervisor/tracing/tracee.h"
#include "supervisor/x86/operand_address.h"

namespace tally {
namespace {

// Intel SDM vol. 1, figures 8-9 to 8-12: the environment's four words from the instruction pointer on.
struct Span {
  std::uint64_t begin;
  std::size_t size;
};
constexpr Span kIn32Bits{12, 16};
constexpr Span kIn16Bits{6, 8};
// In 32 bits the upper halves of the three words in front are reserved. Processors set them; emulators may not.
constexpr std::uint64_t kReserved[] = {2, 6, 10};
// Table 10-2, the area of fxsave and xsave: the opcode, then both pointers.
constexpr Span kOpcode{6, 2};
constexpr Span kPointers{8, 16};
// 13.4.2: the header says which components were written; x87 is the first.
constexpr std::uint64_t kHeader = 512;

void Zero(pid_t tid, std::uint64_t area, Span what) {
  constexpr std::array<std::uint8_t, 16> kZeros{};
  TryWriteTracee(tid, area + what.begin, kZeros.data(), what.size);  // another thread may have unmapped it meanwhile
}

void ZeroInArea(pid_t tid, std::uint64_t area) {
  Zero(tid, area, kOpcode);
  Zero(tid, area, kPointers);
}

bool HasPrefix66(const Instruction& i) { return std::find(i.bytes.begin(), i.bytes.begin() + i.modrm_at, 0x66) != i.bytes.begin() + i.modrm_at; }

// What of the area is in use, and what of it is valid, without the real processor's own components. How long it is said to be is signal_frame.h's affair.
void HideComponents(pid_t tid, std::uint64_t area, std::uint64_t components) {
  constexpr std::uint64_t kSoftware = 464;  // struct _fpx_sw_bytes (arch/x86/include/uapi/asm/sigcontext.h)
  struct {
    std::uint32_t magic, extended_size;
    std::uint64_t features;
    std::uint32_t state_size, padding[7];
    std::uint64_t in_use;  // XSTATE_BV, the header's first word
  } words{};
  static_assert(offsetof(decltype(words), in_use) == kHeader - kSoftware);
  if (ReadTracee(tid, area + kSoftware, &words, sizeof words) != sizeof words || words.magic != FP_XSTATE_MAGIC1) return;
  words.features &= components;
  words.in_use &= components;
  TryWriteTracee(tid, area + kSoftware, &words, sizeof words);
}

bool IsOfTheProcessor(int signal, int code) {
  return code > 0 && (signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP);
}

}  // namespace

void ForgetX87Pointers(pid_t tid, const Instruction& i, const user_regs_struct& before) {
  const std::uint64_t area = OperandAddress(i, before);
  const std::uint8_t opcode = i.bytes[i.modrm_at - 1U];
  if (opcode != 0xae) {  // fnstenv, fnsave
    Zero(tid, area, HasPrefix66(i) ? kIn16Bits : kIn32Bits);
    for (const std::uint64_t at : kReserved) {
      constexpr std::uint16_t kSet = 0xffff;
      if (!HasPrefix66(i)) TryWriteTracee(tid, area + at, &kSet, sizeof kSet);
    }
    return;
  }
  const bool is_xsave = (i.bytes[i.modrm_at] >> 3 & 7) != 0;
  std::uint64_t written = 1;
  if (is_xsave && ReadTracee(tid, area + kHeader, &written, sizeof written) != sizeof written) return;
  if ((written & (is_xsave ? before.rax : 1) & 1) != 0) ZeroInArea(tid, area);
}

bool IsRefusedRestore(pid_t tid, const Instruction& i, const user_regs_struct& registers, std::uint64_t components) {
  if (!i.takes_state_mask || i.saves_x87) return false;
  constexpr unsigned kXrstor = 5;
  if ((i.bytes[i.modrm_at] >> 3 & 7) != kXrstor) return false;
  struct {
    std::uint64_t in_use, compacted;
  } header{};
  const std::uint64_t area = OperandAddress(i, registers);
  if (ReadTracee(tid, area + kHeader, &header, sizeof header) != sizeof header) return false;  // a fault of its own
  return (header.in_use & ~components) != 0 || header.compacted != 0;
}

// struct rt_sigframe (arch/x86/include/asm/sigframe.h): a handler has the signal's number in rdi, in rsi the address of its siginfo, and in
// rdx that of its ucontext, which has the area's.
void ClearFrame(pid_t tid, const user_regs_struct& at_entry, std::uint64_t components) {
  const std::uint64_t context = at_entry.rdx;
  std::uint64_t area = 0;
  if (ReadTracee(tid, context + offsetof(ucontext_t, uc_mcontext.fpregs), &area, sizeof area) == sizeof area && area != 0) {
    ZeroInArea(tid, area);
    HideComponents(tid, area, components);
  }
  std::int32_t code = 0;
  const bool has_code = ReadTracee(tid, at_entry.rsi + offsetof(siginfo_t, si_code), &code, sizeof code) == sizeof code;
  if (!has_code || IsOfTheProcessor(Int32(at_entry.rdi), code)) return;
  const auto clear = [&](int index) {
    constexpr std::uint64_t kZero = 0;
    const std::uint64_t at = context + offsetof(ucontext_t, uc_mcontext.gregs) + static_cast<unsigned>(index) * sizeof kZero;
    TryWriteTracee(tid, at, &kZero, sizeof kZero);
  };
  clear(REG_ERR);
  clear(REG_TRAPNO);
  clear(REG_CR2);
}

}  // namespace tally
