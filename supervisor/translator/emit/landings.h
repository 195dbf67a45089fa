// Returns and indirect jumps: from a guest address, known only when it is reached, to its translation.
//
// Theory of operation. The low 16 bits of the guest address choose one of 65536 table entries, each the host address
// of a landing. A landing asks whether the full address is its own; if so it goes on into
// the translation, else it jumps to the next landing of the same entry, and at the chain's end to a trap, where the
// supervisor makes the landing that was missing. So a jump costs three instructions, a landing three or four, and no
// host address ever lies where the program could see it.
//
//   ret:      pop r11;  movzx r11d, r11w;  jmp [r11*8 + return table]
//   landing:  cmp [rsp-8], pc;  jne next;  ... the translation of pc
//
//   jmp r/m:  mov r11, r/m;  mov gs:[spill], rcx;  movzx ecx, r11w;  jmp [rcx*8 + jump table]
//   landing:  lea rcx, [r11 - pc];  jrcxz over;  jmp next;  over: mov rcx, gs:[spill];  ...
//
// r11 is lent all the while (translator.h). What a return popped is still below the stack's top: the kernel puts
// nothing within 128 bytes of it (System V ABI, 3.2.2).
//
// The flags are dead at nearly every return, but that is known only of the target; so the target's landing compares
// with cmp where its flags are dead and without touching flags (lea, jrcxz) where they may be alive. In a chain the
// careful ones stand first. A target that is not in the chain yet may find its flags overwritten by a `cmp` of
// another; the landing of a call's continuation is made with the call, so that never happens to a call. When all is
// forgotten there are calls that have not returned yet, so from then on only a target that was the only one of its entry
// ever may have a landing that overwrites flags. Where it may
// have happened, FlagsMayBeLost says so and the engine gives up rather than count wrongly. Indirect jumps often meet
// new targets, so their landings are always careful; and so are all where the program makes code while it runs, which
// compilers of such code enter and leave by returns that nobody called.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "supervisor/translator/cache/control_area.h"
#include "supervisor/translator/emit/address_map.h"
#include "supervisor/translator/emit/blocks.h"
#include "supervisor/translator/emit/emitter.h"
#include "supervisor/translator/emit/linker.h"

namespace tally {

class Landings {
 public:
  struct Landing {
    GuestPc pc;
    HostPc at;
    HostPc otherwise;    // displacement of the jump to the next
    std::uint32_t next;  // in the chain; 0: the last
    Table table;
    bool careful;
  };

  Landings(Blocks* blocks, Linker* linker, ControlArea* control, Pool* pool)
      : blocks_(blocks), linker_(linker), control_(control), first_{SlotMap(pool), SlotMap(pool)} {}

  // Where chains end; fills the tables.
  void SetMisses(HostPc after_return, HostPc after_jump);

  [[nodiscard]] bool Has(Table table, GuestPc pc) const;
  // Emits a landing for `pc`; what is emitted next is its translation, with nothing pending and r11 lent.
  void Emit(Table table, GuestPc pc, Emitter* out);
  // The same for a landing that was emitted elsewhere, and lies at `at` now; unless it might overwrite flags.
  void Adopt(const Landing& landing);
  // Calls action(landing) for each there is.
  template <typename Action>
  void ForEach(Action action) const {
    for (std::size_t i = 1; i < landings_.size(); ++i) action(landings_[i]);
  }
  // After the linker's: from now on the tables lead to what was emitted.
  void Publish();
  // A return to `pc` came to the chain's end: did it pass a landing that overwrites flags `pc` may need?
  bool FlagsMayBeLost(GuestPc pc);

  void Clear();
  // From now on all landings that are emitted are careful.
  void BeCareful() { all_careful_ = true; }
  [[nodiscard]] bool are_careful() const { return all_careful_; }

 private:
  static constexpr GuestPc kSeveral = ~GuestPc{0};
  // May a return to another address meet the landing of `pc`, which was called for before all was forgotten?
  [[nodiscard]] bool IsSharedWithFormer(GuestPc pc) const;
  using SlotMap = AddressMap<std::uint32_t, 3>;
  static constexpr std::size_t Index(Table table) { return table == Table::kReturn ? 0 : 1; }
  // The first of the chain that `pc` belongs to; 0: there is none.
  [[nodiscard]] std::uint32_t First(Table table, GuestPc pc) const;
  void Chain(const Landing& landing);

  Blocks* blocks_;
  Linker* linker_;
  ControlArea* control_;
  std::array<HostPc, 2> misses_{};
  bool all_careful_ = false;
  std::vector<Landing> landings_{{}};  // the first stands for none
  std::array<SlotMap, 2> first_;  // of each chain, in landings_
  struct Front {
    Table table;
    GuestPc pc;
    HostPc at;
  };
  std::vector<Front> fronts_;  // of chains that changed
  std::vector<GuestPc> returns_;  // that have landings
  std::vector<GuestPc> former_;   // by entry: the return that had one before all was forgotten; 0: none
};

}  // namespace tally
