// Of its last x87 instruction a program sees neither where it stood nor what it addressed: both read as 0, as on AMD's
// processors where no exception is pending (AMD64 APM vol. 2, 11.4.4).
//
// The processor keeps the address of that instruction, which under an engine is not the program's, and hands it out where it
// saves its state: by instructions (Flow::kSavesX87) and in signal frames. What it has written is overwritten at once.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include "supervisor/x86/decode.h"

namespace tally {

// `instruction` has just been executed; `before` were the registers in front of it, with the program's own bases.
void ForgetX87Pointers(pid_t tid, const Instruction& instruction, const user_regs_struct& before);

// The kernel has just entered a handler: its frame is at rsp.
void ForgetX87PointersInFrame(pid_t tid, std::uint64_t rsp);

}  // namespace tally
