// The processor the program sees: the same on every machine, so that libraries choose the same code and the same
// instructions are counted. The contract is docs/virtual-cpu.md; x86-64-v3, as the psABI defines it.
#pragma once

#include <sys/user.h>

#include <cstdint>

#include "supervisor/translator/decode.h"

namespace tally {

struct CpuidAnswer {
  std::uint32_t eax, ebx, ecx, edx;
};

class VirtualCpu {
 public:
  static CpuidAnswer Cpuid(std::uint32_t leaf, std::uint32_t subleaf);

  // Executes one instruction of Flow::kEmulated. `count`: instructions before it, which is also the time.
  void Execute(const Instruction& instruction, std::uint64_t count, user_regs_struct* registers);

  // What the program finds in its auxiliary vector.
  static std::uint64_t Hwcap();  // AT_HWCAP is cpuid(1).edx (arch/x86/include/asm/elf.h, ELF_HWCAP)

 private:
  std::uint64_t NextRandom();
  std::uint64_t random_ = 0x9e3779b97f4a7c15;
};

}  // namespace tally
