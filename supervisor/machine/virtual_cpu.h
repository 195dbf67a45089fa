// The processor the program sees: the same on every machine, so that libraries choose the same code and the same
// instructions are counted. The contract is docs/virtual-cpu.md; x86-64-v3, v2 or v4, as the psABI defines them. Where a
// rule is off, the answer is this machine's.
#pragma once

#include <sys/user.h>

#include <cstdint>

#include "supervisor/api/virtual_cpu_options.h"
#include "supervisor/machine/seeded_random.h"
#include "supervisor/x86/decode.h"

namespace tally {

struct CpuidAnswer {
  std::uint32_t eax, ebx, ecx, edx;
};

class VirtualCpu {
 public:
  explicit VirtualCpu(const VirtualCpuOptions& options)
      : options_(options), random_(options.seed, SeededRandom::Stream::kInstruction) {}

  // Which instructions there are: those of the model, or the real processor's.
  [[nodiscard]] isa::Level level() const;
  [[nodiscard]] CpuidAnswer Cpuid(std::uint32_t leaf, std::uint32_t subleaf) const;

  // Executes one instruction of Flow::kEmulated. `ticks`: of the time stamp counter.
  void Execute(const Instruction& instruction, std::uint64_t ticks, user_regs_struct* registers);

  [[nodiscard]] std::uint64_t EnabledState() const;  // xgetbv
  // What xsave and xrstor may reach: under v2 and v3 x87, SSE and AVX. Where the rule `cpu` is off all below component 8, so no protection
  // keys, by which a program could lock out the code that counts.
  static std::uint64_t StateComponents(const VirtualCpuOptions& options);
  static constexpr std::uint64_t kAllStateComponents = 0xff;

  // What the program finds in its auxiliary vector.
  static std::uint64_t Hwcap();  // AT_HWCAP is cpuid(1).edx (arch/x86/include/asm/elf.h, ELF_HWCAP)

 private:
  std::uint64_t NextRandom();

  VirtualCpuOptions options_;
  SeededRandom random_;
};

}  // namespace tally
