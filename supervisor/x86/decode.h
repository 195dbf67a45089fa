// One guest instruction, as much of it as the translator needs: where it ends, what it does to the flags, whether it
// addresses memory relative to itself, and whether it may be copied as it is or ends a block.
//
// Almost everything is copied byte for byte, as long as the processor that the program sees has it (isa::Level): all else is an
// invalid opcode, whatever the real processor makes of it. What matters is never to be wrong about length, control flow and
// flags. Tables: isa/shape.h. Reference: tests/translator/decode_test.cc compares with Zydis.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "supervisor/x86/isa/shape.h"

namespace tally {

using GuestPc = std::uint64_t;  // an address in the program as the program sees it

inline constexpr std::size_t kLongestInstruction = 15;

enum class Flow : std::uint8_t {
  kNext,          // goes on with the next instruction: copied
  kConditional,   // jcc
  kJump,          // jmp rel
  kCall,          // call rel
  kLoop,          // loop, loope, loopne, jrcxz
  kIndirectJump,  // jmp r/m
  kIndirectCall,  // call r/m
  kReturn,        // ret
  kReturnPop,     // ret imm16
  kSystemCall,    // syscall
  kEmulated,      // the virtual CPU answers: cpuid, rdtsc, ...
  kFault,         // ends in a signal, here as anywhere: int3, hlt, ud2. Copied; nothing follows it. Of an interrupt that no
                  // program may call `bytes` say hlt, for a hypervisor may have a use for it
  kUndefined,     // the virtual CPU does not have it: an invalid opcode, whatever the real one does
  kSavesX87,      // writes x87's last instruction pointer, which is not the program's (machine/processor_state.h)
  kPopsFlags,     // popf; only the translator has it, which notes in front of it that flags may be unusual (blocks.cc)
  kMended,        // an fxsave to a plain address, an xsave or xrstor of vectors: only the translator has it, with code of ours around it
                  // (state_access.h)
  kSingleStep,    // through gs or about it, far jumps, xrstor: not executed in the flow of translated code (guest_single_step.cc)
  kRefused,       // what translated code cannot do: sysenter, 16-bit jumps
};

struct Instruction {
  GuestPc pc = 0;
  std::array<std::uint8_t, kLongestInstruction> bytes{};  // to be copied
  std::uint8_t length = 0;
  Flow flow = Flow::kFault;
  isa::Flags read = isa::kAllFlags;
  isa::Flags killed = isa::kNoFlags;
  std::uint8_t modrm_at = 0;         // offset of ModRM; 0: none
  std::uint8_t rip_displacement_at = 0;  // offset of a disp32 relative to the end of the instruction; 0: none
  std::uint8_t rex = 0;              // 40-4f or 0
  std::uint8_t condition : 4 = 0;    // kConditional: the low four bits of its opcode
  bool may_fault : 1 = true;         // false: certainly not, whatever the registers hold
  bool fs : 1 = false;               // a segment override
  bool gs : 1 = false;               // likewise
  bool address32 : 1 = false;        // a 67 prefix
  bool near : 1 = false;             // direct jumps and calls: 32 bits of displacement at its end, else 8
  bool saves_x87 : 1 = false;        // writes x87's last instruction pointer, whatever `flow` says (gs)
  bool takes_state_mask : 1 = false;  // xsave, xrstor: edx:eax says which components
  bool names_r11 : 1 = true;         // false: certainly does not read or write it, unless as every `syscall` does

  [[nodiscard]] GuestPc next() const { return pc + length; }
  // Of direct jumps and calls.
  [[nodiscard]] GuestPc target() const;
  // What rip_displacement_at leads to.
  [[nodiscard]] GuestPc RipTarget() const;
  // kReturnPop: its operand, the last two bytes.
  [[nodiscard]] std::uint16_t pop() const {
    return static_cast<std::uint16_t>(bytes[length - 2U] | bytes[length - 1U] << 8);
  }
};

// Decodes at `pc`; `code` are the bytes there, fewer than kLongestInstruction only where the mapping ends. When they
// end before the instruction does, length is 0. That of an invalid opcode ends with the opcode.
Instruction Decode(GuestPc pc, std::span<const std::uint8_t> code, isa::Level level);

}  // namespace tally
