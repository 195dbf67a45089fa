// Returns and indirect jumps: from a guest address, known only when it is reached, to its translation.
//
// Theory of operation. The low 16 bits of the guest address (13 where tables are narrow: control_area.h) choose one table entry, the host address
// of a branch target: a few instructions in front of a translation that compare the full guest address with its own. If they are
// equal the translation follows, else the next branch target of the same entry, and at the chain's end a trap, where the
// supervisor adds the one that was missing. So a jump costs three instructions, a branch target three or four, and no
// host address ever lies where the program could see it.
//
//   ret:      pop r11;  movzx r11d, r11w;  jmp [r11*8 + return table]
//   target:   cmp [rsp-8], pc;  jne next;  ... the translation of pc
//
//   jmp r/m:  mov r11, r/m;  mov gs:[spill], rcx;  movzx ecx, r11w;  jmp [rcx*8 + jump table]
//   target:   lea rcx, [r11 - pc];  jrcxz over;  jmp next;  over: mov rcx, gs:[spill];  ...
//
// r11 is lent all the while (translator.h). What a return popped is still below the stack's top: the kernel puts
// nothing within 128 bytes of it (System V ABI, 3.2.2).
//
// The flags are dead at nearly every return, but that is known only of the address returned to. So its branch target compares
// with cmp where its flags are dead, and without touching flags (lea, jrcxz: a careful one) where they may be alive. In a chain the
// careful ones stand first. An address that is not in the chain yet may find its flags overwritten by the `cmp` of another. The branch
// target of a call's continuation is made with the call, so that never happens to a call. After an invalidation some calls have not
// returned yet: from then on a branch target may overwrite flags only if it has always been alone in its table entry. Where flags may
// have been lost, FlagsMayBeLost says so and the engine sees whether anything reads them (guest_flags.cc).
//
// Indirect jumps often meet new addresses, so their branch targets are always careful. Through their table go the returns, too, that nobody
// may have called, with flags that somebody reads: those in code that the program makes, which compilers of such code enter and leave as they
// like, and those behind an instruction that is there for its flags alone (flag_makers.h). So what a call in code that the program makes comes
// back to has a branch target in both tables.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "supervisor/translator/cache/control_area.h"
#include "supervisor/translator/cache/pool.h"
#include "supervisor/translator/emit/blocks.h"
#include "supervisor/translator/emit/emitter.h"
#include "supervisor/translator/emit/linker.h"

namespace tally {

class BranchTargets {
 public:
  struct BranchTarget {
    GuestPc pc;
    HostPc at;
    HostPc otherwise;    // displacement of the jump to the next
    std::uint32_t next;  // in the chain; 0: the last
    Table table;
    bool careful;
  };

  BranchTargets(Blocks* blocks, Linker* linker, ControlArea* control, Pool* pool);

  // Where chains end; fills the tables. All chains are empty.
  void SetMisses(HostPc after_return, HostPc after_jump);

  [[nodiscard]] bool Has(Table table, GuestPc pc) const;
  // Emits a branch target for `pc`; what is emitted next is its translation, with nothing pending and r11 lent.
  void Emit(Table table, GuestPc pc, Emitter* out);
  // The same for a branch target that was emitted elsewhere, and lies at `at` now; unless it might overwrite flags.
  void Adopt(const BranchTarget& branch_target);
  // So many more are to come.
  void Expect(std::size_t more);
  // Calls action(branch target) for each there is.
  template <typename Action>
  void ForEach(Action action) const {
    for (std::size_t i = 1; i < branch_targets_.size(); ++i) action(branch_targets_[i]);
  }
  // After the linker's: from now on the tables lead to what was emitted.
  void Publish();
  // From now on the tables are wide (control_area.h). No task may be on its way through a chain. To be published.
  void Widen();
  [[nodiscard]] std::size_t size() const { return branch_targets_.size() - 1; }
  // A return to `pc` came to the chain's end: did it pass a branch target that overwrites flags `pc` may need?
  bool FlagsMayBeLost(GuestPc pc);

  void Clear();

 private:
  static constexpr GuestPc kSeveral = ~GuestPc{0};
  // May a return to another address meet the branch target of `pc`, which was called for before all was forgotten?
  [[nodiscard]] bool IsSharedWithFormer(GuestPc pc) const;
  static constexpr std::size_t Index(Table table) { return table == Table::kReturn ? 0 : 1; }
  // The first of the chain that `pc` belongs to; 0: there is none.
  [[nodiscard]] std::uint32_t& First(Table table, GuestPc pc) const { return first_[Index(table)][control_->Slot(pc)]; }
  void Add(const BranchTarget& branch_target);
  // Puts one of branch_targets_ into the chain of its entry.
  void Chain(std::uint32_t added);

  Blocks* blocks_;
  Linker* linker_;
  ControlArea* control_;
  Pool* pool_;
  std::array<HostPc, 2> misses_{};
  std::vector<BranchTarget> branch_targets_{{}};  // the first stands for none
  std::array<std::uint32_t*, 2> first_{};  // of each chain, in branch_targets_
  std::vector<std::uint32_t> fronts_;  // those that came to the front of their chains, to be published
  std::vector<GuestPc> former_;   // by entry: the return that had one before all was forgotten; 0: none
};

}  // namespace tally
