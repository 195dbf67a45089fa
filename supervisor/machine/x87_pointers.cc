#include "supervisor/machine/x87_pointers.h"

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

}  // namespace

void ForgetX87Pointers(pid_t tid, const Instruction& i, const user_regs_struct& before) {
  const std::uint64_t area = OperandAddress(i, before);
  const std::uint8_t opcode = i.bytes[i.modrm_at - 1U];
  if (opcode != 0xae) {  // fnstenv, fnsave
    Zero(tid, area, HasPrefix66(i) ? kIn16Bits : kIn32Bits);
    return;
  }
  const bool is_xsave = (i.bytes[i.modrm_at] >> 3 & 7) != 0;
  std::uint64_t written = 1;
  if (is_xsave && ReadTracee(tid, area + kHeader, &written, sizeof written) != sizeof written) return;
  if ((written & (is_xsave ? before.rax : 1) & 1) != 0) ZeroInArea(tid, area);
}

// struct rt_sigframe (arch/x86/include/asm/sigframe.h): the return address, then a ucontext, which has the area's address.
void ForgetX87PointersInFrame(pid_t tid, std::uint64_t rsp) {
  std::uint64_t area = 0;
  const std::uint64_t at = rsp + sizeof(std::uint64_t) + offsetof(ucontext_t, uc_mcontext.fpregs);
  if (ReadTracee(tid, at, &area, sizeof area) == sizeof area && area != 0) ZeroInArea(tid, area);
}

}  // namespace tally
