// What a program sees of the processor's state beyond its registers: areas of fxsave and xsave, and the frames of signals.
//
// Of its last x87 instruction it sees neither where that stood nor what it addressed: both read as 0, as on AMD's processors where no
// exception is pending (AMD64 APM vol. 2, 11.4.4). The processor keeps the address of that instruction, which under an engine is not the
// program's, and hands it out where it saves its state: by instructions (Instruction::saves_x87) and in signal frames. What it has
// written is overwritten at once. The same goes for the number of the last trap, in the frame of a signal that is none: it may have been
// one of an engine's own.
//
// Of xsave's components it reaches those of the virtual processor. The real one may have others, protection keys among them, by which a
// program could lock out the code that counts.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>

#include "supervisor/x86/decode.h"

namespace tally {

// `instruction` has just been executed; `before` were the registers in front of it, with the program's own bases.
void ForgetX87Pointers(pid_t tid, const Instruction& instruction, const user_regs_struct& before);

// The kernel has just entered a handler, with these registers. `components`: VirtualCpu::StateComponents, here and below.
void ClearFrame(pid_t tid, const user_regs_struct& at_entry, std::uint64_t components);

// Is it an xrstor from an area whose header the virtual processor refuses (Intel SDM vol. 1, 13.8.1)? The real one may know components
// that are named there, or the compacted form. What it refuses is a general protection fault, as hlt is.
bool IsRefusedRestore(pid_t tid, const Instruction& instruction, const user_regs_struct& registers, std::uint64_t components);
inline constexpr std::uint8_t kHalt = 0xf4;

// While an instruction that takes a mask in edx:eax is executed it finds one without components of the real processor's own.
class StateMask {
 public:
  StateMask(const Instruction& instruction, user_regs_struct* registers, std::uint64_t components)
      : is_on_(instruction.takes_state_mask), rax_(registers->rax), rdx_(registers->rdx) {
    if (!is_on_) return;
    registers->rax &= components;
    registers->rdx = 0;
  }
  [[nodiscard]] bool is_on() const { return is_on_; }
  void PutBack(user_regs_struct* registers) const {
    if (!is_on_) return;
    registers->rax = rax_;
    registers->rdx = rdx_;
  }

 private:
  bool is_on_;
  unsigned long long rax_, rdx_;
};

}  // namespace tally
