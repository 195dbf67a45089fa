#include "supervisor/translator/emit/unit_plan.h"

namespace tally {
namespace {

bool EndsKnown(Flow end) {
  return end == Flow::kNext || end == Flow::kConditional || end == Flow::kJump || end == Flow::kLoop || end == Flow::kSavesX87Here;
}

bool LeavesFunction(Flow end) {
  return end == Flow::kReturn || end == Flow::kReturnPop || end == Flow::kIndirectJump || end == Flow::kIndirectCall ||
         end == Flow::kCall;
}

// The last instruction in front of which no flag is alive. A handler sees the flags of an instruction that faults;
// `even_by_handlers` asks for a place where not even that could tell.
std::optional<std::size_t> LastDead(const Block& block, isa::Flags live, bool even_by_handlers) {
  for (std::size_t i = block.instructions.size(); i-- > 0;) {
    const Instruction& instruction = block.instructions[i];
    live = static_cast<isa::Flags>((live & ~instruction.killed) | instruction.read);
    if (even_by_handlers && instruction.may_fault) live = isa::kAllFlags;
    if (live == isa::kNoFlags) return i;
  }
  return std::nullopt;
}

// A jump back counts, but for that of a short loop, which is unrolled.
bool CountsBeforeJump(const Block& block, int total, const TranslationOptions& options) {
  if (block.end == Flow::kNext || block.instructions.empty()) return false;
  const GuestPc target = block.last().target();
  if (target > block.pc) return false;
  return target != block.pc || total + static_cast<int>(block.instructions.size()) > options.unrolled;
}

// The instructions of the block that follows, where it would have to count and has no place for it; else 0. What is
// relied on of it must be code of the same mapping (blocks.h).
int CountedAhead(const Block& block, Blocks* blocks, const GuestCode& code) {
  if (block.end != Flow::kConditional || !code.IsFixedBeside(block.pc, block.next())) return 0;
  Block* const next = blocks->At(block.next());
  if (next->runs_off || !LeavesFunction(next->end) || !code.IsFixedBeside(block.pc, next->next() - 1)) return 0;
  if (LastDead(*next, blocks->LiveOut(next), false)) return 0;
  return static_cast<int>(next->instructions.size());
}

}  // namespace

bool LastCounts(const Block& block) {
  if (block.runs_off) return true;
  switch (block.end) {
    case Flow::kFault: case Flow::kUndefined: case Flow::kSavesX87: case Flow::kAlone: case Flow::kRefused: return false;
    default: return true;
  }
}

bool MayEndTurn(const Block& block) {
  if (block.runs_off || block.instructions.empty()) return false;
  switch (block.end) {
    case Flow::kCall: case Flow::kIndirectCall: case Flow::kIndirectJump: case Flow::kReturn: case Flow::kReturnPop: return true;
    case Flow::kJump: case Flow::kConditional: case Flow::kLoop: return block.last().target() <= block.last().pc;
    default: return false;
  }
}

bool IsNotedWhole(const Block& block) { return LastCounts(block) || block.end == Flow::kAlone || block.end == Flow::kSavesX87; }

UnitPlan PlanUnit(Block* block, int pending, bool hands_on, Blocks* blocks, const GuestCode& code, const TranslationOptions& options, bool by_turns) {
  UnitPlan plan;
  plan.total = pending + static_cast<int>(block->instructions.size());
  if (!LastCounts(*block)) --plan.total;
  const isa::Flags live = blocks->LiveOut(block);
  plan.before = LastDead(*block, live, true);
  if (!plan.before) plan.before = LastDead(*block, live, false);
  plan.flush = !hands_on || !EndsKnown(block->end) || plan.total > options.most_pending || (by_turns && MayEndTurn(*block));
  if (plan.flush || by_turns || !plan.before) return plan;
  plan.flush = CountsBeforeJump(*block, plan.total, options);
  if (plan.flush) return plan;
  plan.ahead = CountedAhead(*block, blocks, code);
  plan.flush = plan.ahead != 0;
  return plan;
}

}  // namespace tally
