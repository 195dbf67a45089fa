// Basic blocks of the guest, decoded once, and which flags are alive at their ends.
//
// Theory of operation. A counter in memory is advanced by `add`, which overwrites the flags; so it may only stand
// where no flag that is set before it is read behind it. Liveness answers that, backwards: a flag is alive before an
// instruction that reads it, dead before one that overwrites it, else as behind it. At the end of a block it is alive
// if it is at the beginning of any successor; we follow direct jumps and calls a few blocks deep and call everything
// alive beyond (kDepth), behind returns and indirect jumps, and in other mappings, so that a translation depends on no
// bytes but those of its own. So "alive" may be too cautious, "dead" is certain.
//
// A block ends at a branch, or after kLongest instructions, and is found by its first address: a jump into the
// middle of one makes another that overlaps.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "supervisor/translator/cache/arena.h"
#include "supervisor/translator/cache/code_cache.h"
#include "supervisor/translator/emit/address_map.h"
#include "supervisor/translator/guest/guest_code.h"
#include "supervisor/x86/decode.h"

namespace tally {

// Where jumps to a block, entered with one pending count, go (linker.h).
struct Destination {
  std::uint64_t at = 0;       // in the code cache: the translation, or a stub for it; 0: neither yet
  std::uint32_t waiting = 0;  // jumps to be corrected when it is translated, a list in the linker; 0: none
  std::int16_t pending = 0;
  bool lent = true;           // entered with r11 lent
  bool translated = false;    // `at` is the translation
  Destination* next = nullptr;
};

// A loop in which there is one way around: blocks that lie behind each other, of which the last jumps back to the first, and the others
// jump out of it or not at all. Or those that jump lead down to the next of it, past what does not lead back soon (a check's failure).
struct Loop {
  GuestPc head = 0, end = 0;
  std::int16_t length = 0;  // in instructions; 0: there is none
  std::uint8_t jumps = 0;   // whose bit i is set: its i-th block's jump leads on
};

struct Block {
  GuestPc pc = 0;
  Destination destination;  // with nothing pending and r11 lent; others follow it
  bool decoded = false;     // what follows is known
  bool aside = false;       // it was known, and may be otherwise by now: of code that may have changed since
  std::span<const Instruction> instructions;  // never empty but where the first is not executable
  // How it ends: the last instruction's flow; kNext after kLongest instructions; kRefused where code ends (the
  // program that gets there faults).
  Flow end = Flow::kNext;
  bool runs_off = false;  // the next address is not executable

  isa::Flags live_in = isa::kAllFlags;
  isa::Flags live_out = isa::kAllFlags;
  bool knows_in = false;
  bool knows_out = false;
  std::uint8_t variants = 0;  // translations that begin with something pending
  bool knows_loop = false;
  bool knows_around = false;
  Loop loop;                  // that begins here (Blocks::LoopAt)
  Loop around;                // that it is a part of (Blocks::LoopAround)
  // Blocks::DepthBehind, for the depth that was last asked for: it is mostly the same.
  int depth = -1;
  std::optional<int> depth_behind;

  [[nodiscard]] GuestPc next() const { return instructions.empty() ? pc : instructions.back().next(); }
  [[nodiscard]] const Instruction& last() const { return instructions.back(); }
};

class Blocks {
 public:
  static constexpr std::size_t kLongest = 48;

  // `level`: what the processor has that the program sees.
  Blocks(GuestCode* code, CodeCache* cache, Pool* pool, isa::Level level)
      : code_(code), cache_(cache), level_(level), blocks_(pool), storage_(pool), instructions_(pool) {}

  // Called with every block when it is first asked for: others may know of translations (loaded_code.h).
  void SetAdopter(std::function<void(Block*)> adopter) { adopter_ = std::move(adopter); }

  // The block that begins at `pc`. It stays where it is until Clear.
  Block* At(GuestPc pc);
  // The same, perhaps not decoded yet.
  Block* Known(GuestPc pc);
  // Code that may change is not relied on: it may read any flag tomorrow.
  isa::Flags LiveIn(GuestPc pc) { return code_->MayChange(pc) ? isa::kAllFlags : LiveIn(At(pc)); }
  isa::Flags LiveIn(Block* block) { return LiveIn(block, 0).flags; }
  isa::Flags LiveOut(Block* block) { return LiveOut(block, 0).flags; }
  // That which begins with `head`, or that of which `block` is a part, though it may be entered in the middle of one of its own blocks.
  // `one_block`: no longer one.
  Loop LoopAt(Block* head, bool one_block);
  Loop LoopAround(Block* block, bool one_block);
  // Is what begins at `pc` on the way around?
  bool IsIn(const Loop& loop, GuestPc pc);
  // Does it go from `begin` straight down to `end`, or may it, past conditional jumps? Then a jump back from there is the end of a loop, and
  // else a way out of one that stands further up.
  bool LeadsDown(GuestPc begin, GuestPc end);
  // From `block` to a return to its caller in a few blocks, of code that stays as it is and in the mapping of `beside`: in how many instructions, the
  // return among them, at least; kNoWayBack: in more than `most`, or not in plain sight. `depth`: x86/stack_depth.h. None of them names r11.
  static constexpr int kNoWayBack = 1000;
  int WayBack(Block* block, GuestPc beside, int most, int depth) { return WayBack(block, beside, most, depth, kMostOnWayBack); }
  // Behind `block`; nothing where that is not sure, or it names r11.
  static std::optional<int> DepthBehind(Block* block, int depth);
  // `block`, which was renewed, is what it was before: true if its bytes are those that were decoded then, false if not; nullopt: they
  // have not all been read since.
  std::optional<bool> TakeBack(Block* block);
  // The blocks with bytes in [begin, end), of code that may change. When one is asked for again and has become another, that is another
  // Block; what was linked to it is linked to the other.
  template <typename Action>
  void Renew(GuestPc begin, GuestPc end, Action before) {
    for (std::vector<Block*>* const blocks : ChangeableNear(begin, end)) {
      std::erase_if(*blocks, [&](Block* block) {
        if (block->pc >= end || block->next() <= begin) return false;
        before(block);
        PutAside(block);
        return true;
      });
    }
  }
  // One that ran off likewise, which may have more instructions by now.
  void Renew(Block* block) {
    std::erase(changeable_[ChunkOf(block->pc)], block);
    PutAside(block);
  }
  // Those that begin in [begin, end).
  template <typename Action>
  void ForEachIn(GuestPc begin, GuestPc end, Action action) const {
    blocks_.ForEach([&](GuestPc pc, Block* block) {
      if (pc >= begin && pc < end) action(block);
    });
  }
  void Clear();

 private:
  struct Answer {
    isa::Flags flags;
    bool final;  // not cut short by the depth
  };
  static constexpr std::size_t kMostInLoop = 6;  // blocks
  static constexpr int kMostOnWayBack = 4;       // likewise
  int WayBack(Block* block, GuestPc beside, int most, int depth, int blocks);
  // What is known of a way that has led to a block.
  struct Way {
    std::size_t blocks = 0;
    int length = 0;
    std::uint8_t jumps = 0;
    std::array<GuestPc, kMostInLoop> out{};
    std::size_t outs = 0;
  };
  enum class Search { kNotFound, kFound, kTwoWays };
  Loop FindLoop(Block* head, std::size_t most);
  Search FindLoopFrom(Block* block, Block* head, std::size_t most, Way way, Loop* loop);
  Loop FindAround(Block* block);
  Loop FindAroundFrom(Block* from, Block* block, std::size_t blocks);
  static GuestPc ChunkOf(GuestPc pc) { return pc / GuestCode::kChunk; }
  // Those of the blocks that may have bytes in [begin, end), and of others.
  std::vector<std::vector<Block*>*> ChangeableNear(GuestPc begin, GuestPc end);
  Block* LookUp(GuestPc pc);
  void Fill(Block* block);
  static void PutAside(Block* block);
  Block* Replace(Block* block);
  Answer LiveIn(Block* block, int depth);
  Answer LiveOut(Block* block, int depth);

  GuestCode* code_;
  CodeCache* cache_;
  isa::Level level_;
  std::function<void(Block*)> adopter_;
  AddressMap<Block*, 3> blocks_;
  // Those last asked for: an edge is looked up several times while it is emitted.
  static constexpr std::size_t kRecent = 64;
  std::array<Block*, kRecent> recent_{};
  Arena<Block> storage_;
  Arena<Instruction> instructions_;
  // Decoded, and with bytes of code that may change; by the chunk in which they begin, for compilers write thousands of times.
  std::unordered_map<GuestPc, std::vector<Block*>> changeable_;
};

}  // namespace tally
