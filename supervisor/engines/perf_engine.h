// counter=perf: the processor executes and counts, and the program finds the virtual machine all the same, as far as the
// processor lets it be.
//
// Theory of operation. System calls that ask for time or the machine stop by a filter, as under every engine that counts
// (machine/virtual_calls.h). Instructions that ask the processor are made to fault: rdtsc and rdtscp by PR_SET_TSC,
// which a program keeps over fork and execve; cpuid by arch_prctl(ARCH_SET_CPUID), where the processor can, which each
// execve takes back, so that the new program makes the call as its first. Each fault is a SIGSEGV that we take: the
// instruction is answered and passed over. What this costs nobody can see but by real time.
//
// The rest cannot be made to fault: rdrand, rdseed, rdpid and xgetbv are this machine's. cpuid offers none of the first
// three, and libraries look at what xgetbv says only for what cpuid offers.
//
// The count is the hardware's, without the instructions that we had the program execute and with those that we answered.
// It is not exact (docs/virtual-cpu.md), and so neither is the time that it makes.
#pragma once

#include <memory>

#include "supervisor/engines/engine.h"

namespace tally {

// SystemError when this machine has no counter.
std::unique_ptr<Engine> MakePerfEngine(const RunRequest& request);

}  // namespace tally
