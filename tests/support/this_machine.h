// What kernels and processors differ in, where a test must know it. Each asks the machine, once.
#pragma once

namespace tally {

// Does the kernel take 32-bit programs and int $0x80? Not with ia32_emulation=off, nor without CONFIG_IA32_EMULATION.
bool RunsI386();

// Can rdtsc be made to fault (prctl(2), PR_SET_TSC)? Not under a hypervisor that runs the kernel without privileges.
bool TimeStampsCanFault();

// Does a base of fs or gs that wrfsbase has set outlive a switch to another task? It does where the kernel says that
// programs may set it (AT_HWCAP2; Documentation/arch/x86/x86_64/fsgs.rst).
bool KeepsSegmentBases();

// Does memory that is only read cost none, because all of it is one page of zeros? Under some hypervisors each page is one of its own:
// then what a sanitizer reads beside the program's memory is resident, too.
bool SharesPageOfZeros();

// Has the processor protection keys that the kernel gives out (pkeys(7))? Then memory that may only be executed cannot be read.
bool HasProtectionKeys();

}  // namespace tally
