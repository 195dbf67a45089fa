#include "supervisor/x86/operand_address.h"

#include <cstring>

namespace tally {
namespace {

constexpr unsigned kNoIndex = 4;  // in SIB, without REX.X
constexpr unsigned kNoBase = 5;   // with mod 0
constexpr unsigned kRexX = 2;
constexpr unsigned kRexB = 1;

std::uint64_t Register(const user_regs_struct& r, unsigned number) {
  const unsigned long long order[] = {r.rax, r.rcx, r.rdx, r.rbx, r.rsp, r.rbp, r.rsi, r.rdi,
                                      r.r8,  r.r9,  r.r10, r.r11, r.r12, r.r13, r.r14, r.r15};
  return order[number];
}

std::uint64_t Displacement(const std::uint8_t* at, unsigned mod) {
  if (mod == 1) return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int8_t>(*at)});
  std::int32_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return static_cast<std::uint64_t>(std::int64_t{value});
}

}  // namespace

std::uint64_t OperandAddress(const Instruction& i, const user_regs_struct& r) {
  const unsigned mod = i.bytes[i.modrm_at] >> 6;
  unsigned base = i.bytes[i.modrm_at] & 7;
  const std::uint8_t* behind = i.bytes.data() + i.modrm_at + 1;
  std::uint64_t address = 0;
  if (i.rip_displacement_at != 0) {
    address = i.RipTarget();
  } else {
    const bool has_sib = base == 4;
    if (has_sib) {
      const std::uint8_t sib = *behind++;
      const unsigned index = (sib >> 3 & 7) | ((i.rex & kRexX) != 0 ? 8U : 0U);
      if (index != kNoIndex) address += Register(r, index) << (sib >> 6);
      base = sib & 7;
    }
    const bool has_base = mod != 0 || base != kNoBase;
    if (has_base) address += Register(r, base | ((i.rex & kRexB) != 0 ? 8U : 0U));
    if (mod == 1 || mod == 2 || !has_base) address += Displacement(behind, mod);
  }
  if (i.address32) address &= 0xffff'ffff;
  if (i.fs) address += r.fs_base;
  if (i.gs) address += r.gs_base;
  return address;
}

}  // namespace tally
