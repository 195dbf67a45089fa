// A call that returns soon: what it does is translated where it is called from, up to its return, which goes on there.
//
// Theory of operation. A return costs a look into a table, and a jump whose target the processor has to guess; and it counts,
// for its successor is not known (translator.h). Many calls do next to nothing: a function that reads one member, or the end of a
// recursion, which is half of its calls. So where a call leads to a return in a few instructions, these are translated once more behind it,
// and the return is a comparison: is what it pops the address that the call has pushed? Then the translation of what is behind the
// call follows. The call counts as ever (where it did not, too many translations of both would begin with something pending); what is executed from there on is
// handed on to behind the return. By turns an addition is dearer, and what is pending is handed on through the call, if no more is executed without a look at
// the budget than the margin lets it (guest_turns.cc).
//
//   push  back;  mov ...;  cmp ...;  jl elsewhere;  mov ...;  pop r11;  cmp r11, back;  jne aside;  ... the translation of `back`
//
// Where an indirect call goes is known when it comes: its inline cache (inline_cache.h) then leads to what is for that call alone.
//
// Where a conditional jump on the way may return soon either way, the other way follows behind; else it leads to the translations that
// the function has anyway, whose returns find `back` in the table as ever. A return to elsewhere traps. The flags must be dead at `back`, and
// r11 lent all the while. Fragments on the way are found by nobody else: they rely on code of their own mapping that stays as it is (blocks.h), and are
// good for one caller.
#include <algorithm>
#include <utility>

#include "supervisor/translator/emit/translator.h"

namespace tally {

bool Translator::HandsOnThroughCall(int pending) const { return !by_turns_ || pending + options_.way_back <= options_.turn_margin; }

bool Translator::ReturnsSoon(const Block& call, GuestPc target) {
  if (!HandsOnThroughCall(0) || in_library_ || options_.way_back == 0 || branch_targets_.size() > kMostReturns) return false;
  const GuestPc back = call.next();
  if (!code_->IsFixedBeside(call.pc, back) || !code_->IsFixedBeside(call.pc, target)) return false;
  const CodeCache::Region* const region = cache_->Near(call.pc);
  if (cache_->Near(back) != region || cache_->Near(target) != region) return false;
  return blocks_.WayBack(blocks_.At(target), call.pc, options_.way_back, 0) != Blocks::kNoWayBack && blocks_.LiveIn(back) == isa::kNoFlags;
}

Translator::WayBack Translator::BeginWayBack(const Block& call, GuestPc target, State state) {
  forks_left_ = kMostForks;
  if (!branch_targets_.Has(Table::kReturn, call.next())) called_on_way_.push_back(call.next());
  return {&call, target, state, options_.way_back};
}

Entry Translator::EmitWayBack(const WayBack& way) {
  GuestPc pc = way.pc;
  State state = way.state;
  int left = way.left, depth = way.depth;
  while (true) {
    Block& block = *blocks_.At(pc);
    const auto n = static_cast<int>(block.instructions.size());
    Fragment fragment{.begin = out_->here(), .block = &block, .pending = static_cast<std::int16_t>(state.pending), .lent = true, .on_way_back = true};
    EmitNote(&fragment);
    const bool last_is_special = block.end != Flow::kNext;
    for (const Instruction& i : block.instructions.first(block.instructions.size() - (last_is_special ? 1 : 0))) out_->Copy(i);
    state.pending += n;
    left -= n;
    depth = blocks_.DepthBehind(&block, depth).value();
    std::optional<Entry> back;
    switch (block.end) {
      case Flow::kReturn: back = EmitReturn(way, state); break;
      case Flow::kConditional: pc = EmitWayFork(block, {way.caller, pc, state, left, depth}); break;
      case Flow::kJump: pc = block.last().target(); break;
      default: pc = block.next();
    }
    fragment.end = out_->OffsetFrom(fragment.begin);
    fragments_.Add(out_->region()->base, fragment);
    if (back) return *back;
  }
}

// The result is where the shorter way goes on.
GuestPc Translator::EmitWayFork(const Block& block, const WayBack& way) {
  const GuestPc taken = block.last().target();
  const int by_jump = blocks_.WayBack(blocks_.At(taken), block.pc, way.left, way.depth);
  const int straight = blocks_.WayBack(blocks_.At(block.next()), block.pc, way.left, way.depth);
  const bool goes_straight = straight <= by_jump;
  const HostPc displacement_at = out_->JumpIf(goes_straight ? block.last().condition : block.last().condition ^ 1U);
  const GuestPc other = goes_straight ? taken : block.next();
  if (std::max(straight, by_jump) == Blocks::kNoWayBack || forks_left_ == 0) {
    LinkEdge(displacement_at, other, block, way.state);
  } else {
    --forks_left_;
    ways_aside_.push_back({way.caller, other, way.state, way.left, way.depth, displacement_at});
  }
  return goes_straight ? block.next() : taken;
}

Entry Translator::EmitReturn(const WayBack& way, State state) {
  const GuestPc back = way.caller->next();
  out_->PopIntoR11();
  const HostPc elsewhere = out_->UnlessR11Is(back);
  {
    const Emitter::Cold cold(&*out_);
    linker_.Patch(elsewhere, out_->here());
    EmitTrap(Trap::Kind::kReturnAside, {back, state.pending, false});
  }
  return FallTo(*way.caller, back, state);
}

void Translator::EmitWaysAside() {
  while (!ways_aside_.empty()) {
    const WayBack way = ways_aside_.back();
    ways_aside_.pop_back();
    if (IsLong()) {
      LinkEdge(way.from, way.pc, *way.caller, way.state);
      continue;
    }
    linker_.Patch(way.from, out_->here());
    EmitChain(EmitWayBack(way), false);
  }
}

}  // namespace tally
