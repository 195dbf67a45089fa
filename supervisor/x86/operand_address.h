// The address that an instruction's memory operand has, computed as the processor does (Intel SDM vol. 1, 3.7.5).
#pragma once

#include <sys/user.h>

#include <cstdint>

#include "supervisor/x86/decode.h"

namespace tally {

// `registers` are those in front of the instruction, fs_base and gs_base the program's. It has ModRM, and its operand is in memory.
std::uint64_t OperandAddress(const Instruction& instruction, const user_regs_struct& registers);

}  // namespace tally
