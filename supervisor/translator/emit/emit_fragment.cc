// A fragment: its block's instructions, the addition among them, and to which entries it leads.
#include <cstdint>
#include <optional>
#include <vector>

#include "supervisor/api/block_observer.h"
#include "supervisor/translator/emit/fragment_plan.h"
#include "supervisor/translator/emit/translator.h"

namespace tally {
namespace {

static_assert(TranslationOptions::kMostPending + int{Blocks::kLongest} <= Entry::kMostPending);
static_assert(-int{Blocks::kLongest} >= Entry::kLeastPending);

// Must r11 be the program's in front of it? What the supervisor does, it does with all registers in place.
bool NeedsR11(const Instruction& instruction) {
  switch (instruction.flow) {
    case Flow::kEmulated: case Flow::kSavesX87: case Flow::kSingleStep: case Flow::kRefused: return true;
    case Flow::kFault: case Flow::kUndefined: return false;
    default: return instruction.names_r11;
  }
}

}  // namespace

std::optional<Entry> Translator::EmitFragment(Entry entry) {
  Block* const found = blocks_.At(entry.pc);
  const Block& block = *found;
  const bool hands_on = !entry.near_end() && likelihood_ >= EagerQueue::kHandsOn;
  FragmentPlan plan = PlanFragment(found, entry.uncounted(), hands_on, in_library_, &blocks_, *code_, options_, by_turns_);
  bool lent = entry.lent;
  if (!plan.flush && plan.before) plan.flush = CountsToReturnSoon(block, plan.total) || FlushesDearlyBehind(block, {plan.total, lent});
  Fragment fragment{.begin = out_->here(), .block = &block, .pending = static_cast<std::int16_t>(entry.uncounted()), .lent = lent, .near_end = entry.near_end()};
  linker_.Define(entry, fragment.begin);
  EmitNote(&fragment);

  const bool is_call = block.end == Flow::kSystemCall;
  const auto add = [&](std::size_t before, bool keep_flags) {
    const HostPc begin = out_->here();
    const int n = plan.total + plan.ahead;
    keep_flags ? out_->AddToCounterKeepingFlags(n, lent) : out_->AddToCounter(n);
    if (by_turns_ && n != 0 && !entry.near_end()) {
      EmitTurnCheck(Trap::Kind::kTurnIsOver, {block.instructions[before].pc, entry.pending + static_cast<int>(before) - n, lent}, keep_flags);
    }
    if (block.end == Flow::kPopsFlags) out_->NoteUnusualFlags();
    if (is_call) keep_flags ? out_->CountSystemCallKeepingFlags(lent) : out_->CountSystemCall();
    fragment.added = static_cast<std::int16_t>(n);
    fragment.add_before = static_cast<std::uint16_t>(before);
    fragment.add_length = static_cast<std::uint16_t>(out_->here() - begin);
  };
  if (plan.flush && !plan.before) add(0, true);
  const std::size_t n = block.instructions.size();
  const bool last_is_special = block.end != Flow::kNext && !block.runs_off;
  for (std::size_t i = 0; i < n; ++i) {
    if (plan.flush && plan.before == i) add(i, false);
    if (lent && NeedsR11(block.instructions[i])) {
      out_->LoadR11(control::kLentR11);
      fragment.back_before = static_cast<std::uint16_t>(i);
      lent = false;
    }
    if (i + 1 == n && last_is_special) break;
    out_->Copy(block.instructions[i]);
  }
  const std::optional<Entry> next = entry.near_end() ? EmitEndNearEnd(block, lent, &fragment)
                                                     : EmitEnd(block, State{plan.flush ? -plan.ahead : plan.total, lent}, &fragment);
  // A jump alone takes no code, and other blocks little. Where code may change there must be room for the trap of SetAside, which would
  // stand in another fragment, and for the jump of Redirect.
  const auto may_change = [&] { return code_->MayChange(entry.pc) || (n != 0 && code_->MayChange(block.next() - 1)); };
  while (out_->OffsetFrom(fragment.begin) < Emitter::kJumpSize && may_change()) out_->Byte(0x90);  // nop
  if (fragment.end == 0) fragment.end = out_->OffsetFrom(fragment.begin);
  if (n != 0) fragments_.Add(out_->region()->base, fragment);
  return next;
}

void Translator::EmitTurnCheck(Trap::Kind kind, Entry entry, bool keep_flags) {
  const HostPc over = keep_flags ? out_->IfBudgetIsOverKeepingFlags() : out_->IfBudgetIsOver();
  // A stub stands in the cold part itself.
  const std::optional<HostPc> past = out_->is_cold() ? std::optional(out_->JumpForGood()) : std::nullopt;
  const Emitter::Cold cold(&*out_);
  linker_.Patch(over, out_->here());
  if (keep_flags) out_->LoadRcx(control::kSpillRcx);
  EmitTrap(kind, entry);
  if (past) linker_.Patch(*past, out_->here());
}

void Translator::EmitNote(Fragment* fragment) {
  if (observer_ == nullptr) return;
  const Block& block = *fragment->block;
  std::vector<std::uint8_t> lengths;
  for (const Instruction& instruction : block.instructions) lengths.push_back(instruction.length);
  if (!IsNotedWhole(block)) lengths.pop_back();
  if (lengths.empty()) return;
  using End = ObservedBlock::End;
  const bool calls = block.end == Flow::kCall || block.end == Flow::kIndirectCall;
  const bool returns = block.end == Flow::kReturn || block.end == Flow::kReturnPop;
  const End end = calls ? End::kCall : returns ? End::kReturn : End::kPlain;
  const HostPc noted = out_->NoteBlock(observer_->AddBlock(code_->process(), {block.pc, lengths, end}), fragment->lent);
  fragment->noted_at = static_cast<std::uint8_t>(noted - fragment->begin);
  fragment->note_length = static_cast<std::uint8_t>(out_->OffsetFrom(fragment->begin));
}

// Edges and ends ---------------------------------------------------------------------------------------

void Translator::JumpTo(Entry entry) { linker_.Link(out_->Jump(), entry); }

void Translator::Want(Entry entry, double likelihood) {
  if (!linker_.Find(entry)) eager_.Want(entry, likelihood);
}

double Translator::DivideLikelihood() {
  if (!in_library_) return 1;
  const double taken = likelihood_ * EagerQueue::kTaken;
  likelihood_ -= taken;
  return taken;
}

void Translator::LendR11(bool lent_already) {
  if (!lent_already) out_->StoreR11(control::kLentR11);
}

void Translator::Flush(GuestPc before, State state) {
  const bool keep_flags = blocks_.LiveIn(before) != isa::kNoFlags;
  keep_flags ? out_->AddToCounterKeepingFlags(state.pending, state.lent) : out_->AddToCounter(state.pending);
  if (by_turns_) EmitTurnCheck(Trap::Kind::kTurnIsOver, {before, 0, state.lent}, keep_flags);
}

Translator::Edge Translator::EdgeOf(const Block& from, GuestPc pc, State state) {
  if (state.pending == 0) return Edge::kCounted;
  Block& to = *blocks_.At(pc);
  // Entries from outside count first, so that the loop's own variants can unroll it.
  if (const Loop loop = blocks_.LoopAround(&to, in_library_); loop.length != 0 && loop.length * 2 <= options_.unrolled) {
    return blocks_.IsIn(loop, from.pc) ? Edge::kHandsOn : Edge::kFlushes;
  }
  const bool counted_ahead = state.pending < 0 && pc == from.next();
  if (counted_ahead || linker_.Knows({pc, state.pending, state.lent})) return Edge::kHandsOn;
  // By turns an addition is dearer: there is one counter, and a look at it.
  const int most = by_turns_ ? kVariantsByTurns * options_.variants : options_.variants;
  return to.variants < most ? Edge::kHandsOnAnew : Edge::kFlushes;
}

// A call by turns that returns soon, but not with so much pending.
bool Translator::CountsToReturnSoon(const Block& block, int pending) {
  return block.end == Flow::kCall && !HandsOnThroughCall(pending) && ReturnsSoon(block, block.last().target());
}

// Of code that may change nobody knows which flags it reads, so what an edge to it adds takes eleven instructions where tasks take turns.
// A conditional jump is seldom taken, and its addition stands in the cold part; but a loop's is, and the way straight on comes once.
bool Translator::FlushesDearlyBehind(const Block& block, State state) {
  for (const Instruction& instruction : block.instructions) state.lent = state.lent && !NeedsR11(instruction);
  const auto is_dear = [&](GuestPc pc) { return blocks_.LiveIn(pc) != isa::kNoFlags && EdgeOf(block, pc, state) == Edge::kFlushes; };
  switch (block.end) {
    case Flow::kNext:
    case Flow::kMended: return is_dear(block.next());
    case Flow::kConditional:
    case Flow::kLoop: return LoopEndingWith(block, in_library_, &blocks_).length == 0 && is_dear(block.next());
    case Flow::kJump: return is_dear(block.last().target());
    case Flow::kCall: state.lent = true; return is_dear(block.last().target());
    default: return false;
  }
}

Entry Translator::EdgeTo(const Block& from, GuestPc pc, State state, bool* flush) {
  const Edge edge = EdgeOf(from, pc, state);
  *flush = edge == Edge::kFlushes;
  if (edge == Edge::kHandsOnAnew) ++blocks_.At(pc)->variants;
  return {pc, edge == Edge::kHandsOn || edge == Edge::kHandsOnAnew ? state.pending : 0, state.lent};
}

Entry Translator::FallTo(const Block& from, GuestPc pc, State state) {
  bool flush = false;
  const Entry entry = EdgeTo(from, pc, state, &flush);
  if (flush) Flush(pc, state);
  return entry;
}

void Translator::LinkEdge(HostPc displacement_at, GuestPc pc, const Block& from, State state) {
  bool flush = false;
  const Entry entry = EdgeTo(from, pc, state, &flush);
  Want(entry, likelihood_);
  LinkEdge(displacement_at, entry, flush, state);
}

void Translator::LinkEdge(HostPc displacement_at, Entry entry, bool flush, State state) {
  if (!flush) {
    linker_.Link(displacement_at, entry);
    return;
  }
  const Emitter::Cold cold(&*out_);
  linker_.Patch(displacement_at, out_->here());
  Flush(entry.pc, state);
  JumpTo(entry);
}

Entry Translator::EmitTaken(HostPc displacement_at, const Block& block, State state) {
  bool flush = false;
  Entry entry = EdgeTo(block, block.last().target(), state, &flush);
  if (state.pending > 0 && IsWayOut(blocks_.At(block.pc), in_library_, &blocks_)) {
    flush = true;
    entry = {block.last().target(), 0, state.lent};
  }
  Want(entry, DivideLikelihood());
  LinkEdge(displacement_at, entry, flush, state);
  return entry;
}

}  // namespace tally
