// The answers to cpuid, in translated code. A C library asks dozens of times while it starts; each would be a trap.
//
//   keep the flags in ax;  cmp edx, leaf; jne next;  ...put the flags back, load the answer, jump back
//
// cpuid overwrites eax, ebx, ecx and edx, so they are free to work with once the question is kept in edx and ecx.
#pragma once

#include <vector>

#include "supervisor/translator/emit/emitter.h"

namespace tally {

class VirtualCpu;

// Emits a comparison with each question that is often asked. The results are the displacements of the jumps that
// leave with an answer. What is emitted next is for all other questions, with eax and ecx as they were.
std::vector<HostPc> EmitCpuidAnswers(const VirtualCpu& cpu, Emitter* out);

}  // namespace tally
