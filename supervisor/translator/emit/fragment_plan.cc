#include "supervisor/translator/emit/fragment_plan.h"

#include <algorithm>

namespace tally {
namespace {

bool EndsKnown(Flow end, bool over_calls) {
  if (end == Flow::kCall) return over_calls;
  return end == Flow::kNext || end == Flow::kConditional || end == Flow::kJump || end == Flow::kLoop || end == Flow::kMended;
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

bool JumpsBack(const Block& block) {
  if (block.end != Flow::kConditional && block.end != Flow::kJump && block.end != Flow::kLoop) return false;
  return !block.instructions.empty() && block.last().target() <= block.last().pc;
}

// A jump back counts, but for that of a short loop, which is unrolled until one round more would be too much, and for one that leads out
// of a loop to somewhere above it.
bool CountsBeforeJump(Block* block, int total, int most, bool in_library, Blocks* blocks) {
  if (!JumpsBack(*block)) return false;
  if (const Loop loop = LoopEndingWith(*block, in_library, blocks); loop.length != 0) return total + loop.length > most;
  return total >= most || !IsWayOut(block, in_library, blocks);
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
    case Flow::kFault: case Flow::kUndefined: case Flow::kSavesX87: case Flow::kSingleStep: case Flow::kRefused: return false;
    default: return true;
  }
}

bool MayEndTurn(const Block& block) {
  if (block.runs_off || block.instructions.empty()) return false;
  switch (block.end) {
    case Flow::kCall: case Flow::kIndirectCall: case Flow::kIndirectJump: case Flow::kReturn: case Flow::kReturnPop: return true;
    case Flow::kJump: case Flow::kConditional: case Flow::kLoop: return JumpsBack(block);
    default: return false;
  }
}

Loop LoopEndingWith(const Block& block, bool in_library, Blocks* blocks) {
  if (!JumpsBack(block)) return {};
  const Loop loop = blocks->LoopAt(blocks->At(block.last().target()), in_library);
  return loop.end == block.next() ? loop : Loop{};
}

bool IsWayOut(Block* block, bool in_library, Blocks* blocks) {
  if (in_library || block->end != Flow::kConditional || !JumpsBack(*block)) return false;
  const Loop loop = blocks->LoopAround(block, in_library);
  return loop.length != 0 && loop.end != block->next();
}

bool IsNotedWhole(const Block& block) { return LastCounts(block) || block.end == Flow::kSingleStep || block.end == Flow::kSavesX87; }

FragmentPlan PlanFragment(Block* block, int pending, bool hands_on, bool in_library, Blocks* blocks, const GuestCode& code, const TranslationOptions& options, bool by_turns) {
  FragmentPlan plan;
  plan.total = pending + static_cast<int>(block->instructions.size());
  if (!LastCounts(*block)) --plan.total;
  const isa::Flags live = blocks->LiveOut(block);
  if (block->end == Flow::kPopsFlags) {  // which overwrites them; what is noted in front of it stands with the addition
    plan.before = block->instructions.size() - 1;
    plan.flush = true;
    return plan;
  }
  plan.before = LastDead(*block, live, true);
  if (!plan.before) plan.before = LastDead(*block, live, false);
  plan.flush = !hands_on || !EndsKnown(block->end, by_turns && !in_library) || plan.total > options.most_pending;
  if (plan.flush || (!plan.before && !by_turns)) return plan;
  // By turns a jump at which one may end is passed without a look only if less than the margin was executed since the last.
  const int most = by_turns ? std::min(options.unrolled, options.turn_margin) : options.unrolled;
  plan.flush = block->end == Flow::kCall ? plan.total > most : CountsBeforeJump(block, plan.total, most, in_library, blocks);
  if (plan.flush || by_turns) return plan;
  plan.ahead = CountedAhead(*block, blocks, code);
  plan.flush = plan.ahead != 0;
  return plan;
}

}  // namespace tally
