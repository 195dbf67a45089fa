// Basic blocks of the guest, decoded once, and which flags are alive at their ends.
//
// Theory of operation. A counter in memory is advanced by `add`, which overwrites the flags; so it may only stand
// where no flag that is set before it is read behind it. Liveness answers that, backwards: a flag is alive before an
// instruction that reads it, dead before one that overwrites it, else as behind it. At the end of a block it is alive
// if it is at the beginning of any successor; we follow direct jumps and calls a few blocks deep and call everything
// alive beyond (kDepth), and behind returns and indirect jumps. So "alive" may be too cautious, "dead" is certain.
//
// A block ends at a branch, or after kLongest instructions, and is found by its first address: a jump into the
// middle of one makes another that overlaps.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "supervisor/translator/decode.h"
#include "supervisor/translator/guest_code.h"

namespace tally {

struct Block {
  GuestPc pc = 0;
  std::vector<Instruction> instructions;  // never empty but where the first is not executable
  // How it ends: the last instruction's flow; kNext after kLongest instructions; kRefused where code ends (the
  // program that gets there faults).
  Flow end = Flow::kNext;
  bool runs_off = false;  // the next address is not executable

  isa::Flags live_in = isa::kAllFlags;
  isa::Flags live_out = isa::kAllFlags;
  bool knows_in = false;
  bool knows_out = false;

  [[nodiscard]] GuestPc next() const { return instructions.empty() ? pc : instructions.back().next(); }
  [[nodiscard]] const Instruction& last() const { return instructions.back(); }
};

class Blocks {
 public:
  static constexpr std::size_t kLongest = 48;

  explicit Blocks(GuestCode* code) : code_(code) {}

  const Block& At(GuestPc pc) { return *Find(pc); }
  isa::Flags LiveIn(GuestPc pc) { return LiveIn(Find(pc), 0).flags; }
  isa::Flags LiveOut(GuestPc pc) { return LiveOut(Find(pc), 0).flags; }
  void Clear() { blocks_.clear(); }

 private:
  struct Answer {
    isa::Flags flags;
    bool final;  // not cut short by the depth
  };
  Block* Find(GuestPc pc);
  void Fill(Block* block);
  Answer LiveIn(Block* block, int depth);
  Answer LiveOut(Block* block, int depth);

  GuestCode* code_;
  std::unordered_map<GuestPc, std::unique_ptr<Block>> blocks_;
};

}  // namespace tally
