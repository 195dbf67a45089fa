// Writes machine code into a code region: the few sequences of our own, and guest instructions with their displacements
// corrected. Every method says in its comment what it does to registers and flags; unless it says otherwise, nothing.
// Encodings are those of the Intel SDM vol. 2; each is spelled out in the comment beside its bytes.
//
// Jumps are patched later (linker.h). Where other tasks may execute them at that moment (`shared`; not where tasks take turns), a displacement
// never crosses eight bytes, so that the one store that changes it is atomic for them (Intel SDM vol. 3, 9.1.1).
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "supervisor/translator/cache/code_cache.h"
#include "supervisor/translator/cache/control_area.h"
#include "supervisor/translator/guest/journal.h"
#include "supervisor/x86/decode.h"

namespace tally {

class Emitter {
 public:
  struct Style {
    bool shared;    // other tasks may execute it meanwhile
    bool by_turns;  // what is added to the count is taken off the task's budget (control::kTurnBudget)
    bool bmi2;      // the processor has it
    bool by_eip;    // the task's page is addressed by gs and eip (WithControl)
    bool wide;      // the tables are (control_area.h), whenever this is executed
  };
  // `journal`: where distances are noted; nullptr: nowhere.
  Emitter(CodeCache::Region* region, Style style, Journal* journal) : region_(region), style_(style), journal_(journal) {}

  [[nodiscard]] HostPc here() const { return cold_ ? region_->cold : region_->hot; }
  // Within a fragment (CodeCache::kLongestFragment).
  [[nodiscard]] std::uint16_t OffsetFrom(HostPc begin) const { return static_cast<std::uint16_t>(here() - begin); }
  [[nodiscard]] CodeCache::Region* region() const { return region_; }
  [[nodiscard]] bool is_cold() const { return cold_; }

  // Between construction and destruction of a Cold, code goes to the cold part.
  class Cold {
   public:
    explicit Cold(Emitter* emitter) : emitter_(emitter), before_(emitter->cold_) { emitter->cold_ = true; }
    ~Cold() { emitter_->cold_ = before_; }
    Cold(const Cold&) = delete;
    Cold& operator=(const Cold&) = delete;

   private:
    Emitter* emitter_;
    bool before_;
  };

  void StoreR11(std::uint32_t control_offset);
  void LoadR11(std::uint32_t control_offset);  // changes r11
  static constexpr std::size_t kLoadR11Size = 9;
  void StoreRcx(std::uint32_t control_offset);
  void LoadRcx(std::uint32_t control_offset);  // changes rcx
  void StoreEax(std::uint32_t control_offset);
  void AddToCounter(int n);              // changes the flags
  void CountSystemCall();                          // changes the flags
  // Five instructions instead of one, or three where r11 is `lent` and may change.
  void AddToCounterKeepingFlags(int n, bool lent);
  void CountSystemCallKeepingFlags(bool lent);

  // Behind an addition: jumps where the budget is used up. The result is the displacement. The first takes the addition's flags,
  // the second keeps them, and all registers.
  HostPc IfBudgetIsOver() { return JumpIfForGood(8); }  // js
  HostPc IfBudgetIsOverKeepingFlags();

  // In front of a popf (control::kClockUnusual).
  void NoteUnusualFlags();

  // Notes the number down in the task's log (task_log.h), r11 being `lent` or not. The result is where that is done.
  HostPc NoteBlock(std::uint32_t number, bool lent);

  // Around a system call, for the log: what is called, from where on its end can be noted. The first changes rcx, which
  // the call does, too; both leave everything else as it was.
  void NoteCall();
  void NoteCallEnd();

  void Copy(const Instruction& instruction);
  // Behind an fxsave: zeroes what it wrote of x87's last instruction (machine/processor_state.h).
  void ZeroX87Pointers(const Instruction& fxsave);
  // r11 = the operand of an indirect jump or call. r11 must be lent.
  void LoadTarget(const Instruction& instruction);
  // The guest's own return address, as its call would push it.
  void PushReturnAddress(GuestPc pc);
  void SetEax(std::uint32_t value);
  void SetRcx(std::uint64_t value);  // changes rcx
  // A short jump, taken unless rax is `value`; the result is its displacement, for EndShortJump. Changes rcx.
  HostPc UnlessRaxIs(std::int8_t value);
  // In front of a system call: over so many bytes if that is its number. Changes rcx.
  void PassIfCallIs(std::uint32_t number, std::uint8_t bytes);
  static constexpr std::size_t kCallPassSize = 9;
  HostPc ShortJump();                         // always taken
  void EndShortJump(HostPc displacement_at);  // it leads here, no more than 127 bytes on
  // Jumps; r11 is the guest address, its low 16 bits choose. Changes r11 for a return, rcx for a jump.
  void DispatchThrough(Table table);
  void PopIntoR11();                    // r11 = the return address, rsp past it
  // Where r11 is not `pc`; the result is the displacement. Changes the flags.
  HostPc UnlessR11Is(GuestPc pc);
  void DropFromStack(std::uint16_t bytes);  // rsp += bytes

  // Direct jumps; the result is where the 32-bit displacement lies, to be linked.
  static constexpr std::size_t kJumpSize = 5;  // jmp rel32
  HostPc Jump();
  HostPc JumpForGood();  // linked once, before anybody executes it
  HostPc JumpIf(std::uint8_t condition);
  HostPc JumpIfForGood(std::uint8_t condition);
  HostPc Loop(const Instruction& instruction);  // its own condition, a jump of our reach
  void Trap() { Byte(0xcc); }
  // Where an eight-byte word may be patched `opcode` bytes from here.
  void AlignWord(std::uint64_t opcode) { AlignForPatch(opcode, 8); }

  // A branch target's question: does the guest address sought equal `pc`? The result is the displacement of the jump taken
  // if not. A return's lies below the stack's top, where it was popped. Changes r11.
  HostPc UnlessReturnsTo(GuestPc pc);            // changes the flags
  HostPc UnlessReturnsToKeepingFlags(GuestPc pc);
  HostPc UnlessJumpsToKeepingFlags(GuestPc pc);  // the address sought is in r11; changes rcx, too, and leaves r11 alone

  void Byte(std::uint8_t value) { *Claim(1) = value; }
  void Bytes(std::initializer_list<std::uint8_t> values) { Bytes(std::span(values.begin(), values.size())); }
  void Bytes(std::span<const std::uint8_t> values) { std::memcpy(Claim(values.size()), values.data(), values.size()); }
  void Word32(std::uint32_t value) { std::memcpy(Claim(sizeof value), &value, sizeof value); }
  void Word64(std::uint64_t value) { std::memcpy(Claim(sizeof value), &value, sizeof value); }

 private:
  // The next bytes to be written. Behind them nothing is written yet.
  std::uint8_t* Claim(std::size_t size) {
    return cold_ ? region_->ClaimCold(size) : region_->ClaimHot(size);
  }
  // So that what comes `opcode` bytes later does not cross a multiple of eight with its `size` bytes.
  void AlignForPatch(std::uint64_t opcode, std::uint64_t size);
  void CorrectDisplacement(HostPc end, HostPc displacement_at, GuestPc guest_target);
  [[nodiscard]] std::uint8_t* Ours(HostPc at) const { return region_->ours + (at - region_->base); }
  // An instruction whose operand is `value`, which lies in the cold part.
  void WithLiteral(std::initializer_list<std::uint8_t> opcode, std::uint64_t value);
  // An instruction with gs:[offset] as its operand, and `reg` in ModRM.reg; its immediate comes behind. By eip the offset is written as a distance,
  // [rip + distance] with an address size of 32 bits (prefix 67), which is cut to the same offset wherever the code lies: no longer, and it tells a reader of the code no
  // more. Additions to one word follow each other in a quarter of the time then on a Zen 4 (1.65 to 0.43 ns each, measured with the jump behind it).
  void WithControl(std::initializer_list<std::uint8_t> opcode, std::uint8_t reg, std::uint32_t offset, std::uint32_t immediate_size = 0);
  void AddTo(std::uint32_t counter, int n);
  void AddKeepingFlagsTo(std::uint32_t counter, int n, bool lent);
  std::uint32_t NextCounter();

  CodeCache::Region* region_;
  Style style_;
  Journal* journal_;
  bool cold_ = false;
};

}  // namespace tally
