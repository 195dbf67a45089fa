// cpuid as an instruction that faults (arch_prctl(2), ARCH_SET_CPUID): so the program can be answered another processor.
#pragma once

namespace tally {

// Can this processor fault at cpuid?
bool CpuidCanFault();

}  // namespace tally
