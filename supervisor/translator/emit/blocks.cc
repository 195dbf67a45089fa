#include "supervisor/translator/emit/blocks.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "supervisor/translator/emit/state_access.h"
#include "supervisor/x86/stack_depth.h"

namespace tally {
namespace {

constexpr int kDepth = 6;

// It may set flags of which clock_code.h knows nothing.
bool IsPopf(const Instruction& i) {
  constexpr std::uint8_t kPopf = 0x9d;
  const auto is_prefix = [](std::uint8_t byte) {
    constexpr std::uint8_t kPrefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3};
    return (byte & 0xf0) == 0x40 || std::find(std::begin(kPrefixes), std::end(kPrefixes), byte) != std::end(kPrefixes);
  };
  return i.length != 0 && i.bytes[i.length - 1U] == kPopf && std::all_of(i.bytes.begin(), i.bytes.begin() + (i.length - 1), is_prefix);
}

}  // namespace

Block* Blocks::Known(GuestPc pc) {
  Block*& recent = recent_[pc % kRecent];
  if (recent == nullptr || recent->pc != pc) recent = LookUp(pc);
  return recent;
}

std::vector<std::vector<Block*>*> Blocks::ChangeableNear(GuestPc begin, GuestPc end) {
  static_assert(kLongest * kLongestInstruction < GuestCode::kChunk);
  const GuestPc first = begin < GuestCode::kChunk ? 0 : ChunkOf(begin) - 1;
  const GuestPc last = ChunkOf(end - 1);
  std::vector<std::vector<Block*>*> out;
  if (last - first > changeable_.size()) {
    for (auto& [chunk, blocks] : changeable_) {
      if (chunk >= first && chunk <= last) out.push_back(&blocks);
    }
    return out;
  }
  for (GuestPc chunk = first; chunk <= last; ++chunk) {
    if (const auto found = changeable_.find(chunk); found != changeable_.end()) out.push_back(&found->second);
  }
  return out;
}

Block* Blocks::LookUp(GuestPc pc) {
  Block*& place = blocks_.At(pc);
  if (place != nullptr) return place;
  Block* const block = storage_.Room(1);
  storage_.Keep(1);
  *block = Block{.pc = pc, .destination = {}, .instructions = {}};
  place = block;
  if (adopter_) adopter_(block);
  return block;
}

Block* Blocks::At(GuestPc pc) {
  Block* block = Known(pc);
  if (block->decoded) return block;
  if (block->aside) {
    for (const Instruction& i : block->instructions) code_->BytesAt(i.pc);
    if (!TakeBack(block).value_or(false)) block = Replace(block);
  }
  if (!block->decoded) Fill(block);
  return block;
}

void Blocks::Fill(Block* block) {
  block->decoded = true;
  Instruction* const begin = instructions_.Room(kLongest);
  std::span<const std::uint8_t> code;
  std::size_t n = 0;
  GuestPc pc = block->pc;
  while (n < kLongest) {
    if (code.size() < kLongestInstruction) code = code_->BytesAt(pc);
    Instruction& instruction = *new (begin + n) Instruction(Decode(pc, code, level_));
    if (instruction.length == 0) {
      block->end = Flow::kRefused;
      block->runs_off = true;
      break;
    }
    ++n;
    // Hardly ever executed: bytes that are no code, but follow some.
    const bool reaches = instruction.rip_displacement_at == 0 || cache_->Reaches(pc, instruction.RipTarget());
    if (!reaches) instruction.flow = Flow::kRefused;
    if (!instruction.gs && VectorMask({begin, n - 1}, instruction)) instruction.flow = Flow::kMended;
    if (IsPopf(instruction)) instruction.flow = Flow::kPopsFlags;
    if (instruction.flow == Flow::kSavesX87 && CanForgetPointersBehind(instruction)) instruction.flow = Flow::kMended;
    block->end = instruction.flow;
    if (instruction.flow != Flow::kNext) break;
    pc = instruction.next();
    code = code.subspan(instruction.length);
  }
  block->instructions = {begin, n};
  instructions_.Keep(n);
  if (code_->MayChange(block->pc) || (n != 0 && code_->MayChange(block->next() - 1))) changeable_[ChunkOf(block->pc)].push_back(block);
}

Loop Blocks::LoopAt(Block* head, bool one_block) {
  if (!head->knows_loop && one_block) return FindLoop(head, 1);
  if (!head->knows_loop) head->loop = FindLoop(head, kMostInLoop);
  head->knows_loop = true;
  return head->loop;
}

Loop Blocks::LoopAround(Block* block, bool one_block) {
  if (one_block) return LoopAt(block, true);
  if (!std::exchange(block->knows_around, true)) block->around = FindAround(block);
  return block->around;
}

Loop Blocks::FindAround(Block* block) { return FindAroundFrom(block, block, 0); }

Loop Blocks::FindAroundFrom(Block* from, Block* block, std::size_t blocks) {
  if (blocks == kMostInLoop || from->runs_off || from->instructions.empty()) return {};
  const bool jumps = from->end == Flow::kConditional || from->end == Flow::kLoop;
  if (jumps && from->last().target() <= block->pc) {
    const Loop loop = LoopAt(At(from->last().target()), false);
    if (loop.length != 0 && loop.end == from->next() && IsIn(loop, block->pc)) return loop;
  }
  if (from->end != Flow::kConditional && from->end != Flow::kNext && from->end != Flow::kMended) return {};
  const Loop loop = FindAroundFrom(At(from->next()), block, blocks + 1);
  if (loop.length != 0 || from->end != Flow::kConditional || from->last().target() <= from->pc) return loop;
  return FindAroundFrom(At(from->last().target()), block, blocks + 1);
}

bool Blocks::IsIn(const Loop& loop, GuestPc pc) {
  if (loop.jumps == 0) return pc >= loop.head && pc < loop.end;
  GuestPc at = loop.head;
  for (std::size_t n = 0; n < kMostInLoop; ++n) {
    const Block* const block = At(at);
    if (pc >= block->pc && pc < block->next()) return true;
    if (block->next() == loop.end || block->instructions.empty()) return false;
    at = (loop.jumps >> n & 1) != 0 ? block->last().target() : block->next();
  }
  return false;
}

bool Blocks::LeadsDown(GuestPc begin, GuestPc end) {
  for (std::size_t n = 0; n < kMostInLoop; ++n) {
    if (begin >= end) return true;
    const Block* const block = At(begin);
    const bool falls = block->end == Flow::kConditional || block->end == Flow::kNext || block->end == Flow::kMended;
    if (block->runs_off || !falls) return block->next() > end;
    begin = block->next();
  }
  return true;
}

Loop Blocks::FindLoop(Block* head, std::size_t most) {
  Loop loop;
  return FindLoopFrom(head, head, most, {}, &loop) == Search::kFound ? loop : Loop{};
}

Blocks::Search Blocks::FindLoopFrom(Block* block, Block* head, std::size_t most, Way way, Loop* loop) {
  if (way.blocks == most || block->runs_off || block->instructions.empty()) return Search::kNotFound;
  way.length += static_cast<int>(block->instructions.size());
  // A plain jump takes no code where the loop goes on behind itself: a round would count for more than a processor can execute.
  const bool closes = block->end == Flow::kConditional || block->end == Flow::kLoop;
  if (closes && block->last().target() == head->pc) {
    const GuestPc end = block->next();
    const bool out = std::all_of(way.out.begin(), way.out.begin() + way.outs, [&](GuestPc to) { return to >= end || (to < head->pc && !LeadsDown(to, head->pc)); });
    if (!out) return Search::kTwoWays;
    *loop = {head->pc, end, static_cast<std::int16_t>(way.length), way.jumps};
    return Search::kFound;
  }
  const bool may_jump = block->end == Flow::kConditional;
  if (!may_jump && block->end != Flow::kNext && block->end != Flow::kMended) return Search::kNotFound;
  const std::size_t number = way.blocks++;
  if (way.blocks == most) return Search::kNotFound;
  Way straight = way;
  if (may_jump) straight.out[straight.outs++] = block->last().target();
  const Search found = FindLoopFrom(At(block->next()), head, most, straight, loop);
  if (found != Search::kNotFound || !may_jump || block->last().target() <= block->pc) return found;
  way.jumps = static_cast<std::uint8_t>(way.jumps | 1U << number);
  return FindLoopFrom(At(block->last().target()), head, most, way, loop);
}

int Blocks::WayBack(Block* block, GuestPc beside, int most, int depth, int blocks) {
  const auto n = static_cast<int>(block->instructions.size());
  if (blocks == 0 || n == 0 || n > most || block->runs_off) return kNoWayBack;
  if (!code_->IsFixedBeside(beside, block->pc) || !code_->IsFixedBeside(beside, block->next() - 1)) return kNoWayBack;
  const std::optional<int> behind = DepthBehind(block, depth);
  if (!behind) return kNoWayBack;
  const auto through = [&](GuestPc pc) { return std::min(n + WayBack(At(pc), beside, most - n, *behind, blocks - 1), kNoWayBack); };
  switch (block->end) {
    case Flow::kReturn: return n;
    case Flow::kNext: return through(block->next());
    case Flow::kJump: return through(block->last().target());
    case Flow::kConditional: return std::min(through(block->last().target()), through(block->next()));
    default: return kNoWayBack;
  }
}

std::optional<int> Blocks::DepthBehind(Block* block, int depth) {
  if (block->depth == depth) return block->depth_behind;
  block->depth = depth;
  std::optional<int> behind = depth;
  for (const Instruction& i : block->instructions) {
    behind = i.names_r11 ? std::nullopt : StackDepthBehind(i, *behind);
    if (!behind) break;
  }
  block->depth_behind = behind;
  return behind;
}

std::optional<bool> Blocks::TakeBack(Block* block) {
  if (block->runs_off || block->instructions.empty()) return false;
  for (const Instruction& i : block->instructions) {
    const std::optional<bool> is_same = code_->WasReadAs(i.pc, {i.bytes.data(), i.length});
    if (!is_same.value_or(false)) return is_same;
  }
  block->decoded = true;
  block->aside = block->knows_loop = block->knows_around = false;
  changeable_[ChunkOf(block->pc)].push_back(block);
  return true;
}

void Blocks::PutAside(Block* block) {
  block->decoded = false;
  block->aside = true;
  block->variants = 0;
}

Block* Blocks::Replace(Block* block) {
  Block* const other = storage_.Room(1);
  storage_.Keep(1);
  *other = Block{.pc = block->pc, .destination = block->destination, .instructions = {}};
  recent_[block->pc % kRecent] = blocks_.At(block->pc) = other;
  return other;
}

void Blocks::Clear() {
  recent_.fill(nullptr);
  blocks_.Clear();
  storage_.Clear();
  instructions_.Clear();
  changeable_.clear();
}

Blocks::Answer Blocks::LiveOut(Block* block, int depth) {
  if (block->knows_out) return {block->live_out, true};
  if (depth > kDepth) return {isa::kAllFlags, false};
  Answer answer{isa::kAllFlags, true};
  const auto successor = [&](GuestPc pc) {
    return code_->IsFixedBeside(block->pc, pc) ? LiveIn(At(pc), depth + 1) : Answer{isa::kAllFlags, true};
  };
  switch (block->end) {
    case Flow::kConditional:
    case Flow::kLoop: {
      const Answer taken = successor(block->last().target());
      const Answer next = successor(block->next());
      answer = {static_cast<isa::Flags>(taken.flags | next.flags), taken.final && next.final};
      break;
    }
    case Flow::kJump:
    case Flow::kCall: answer = successor(block->last().target()); break;
    case Flow::kPopsFlags:
    case Flow::kMended:
    case Flow::kNext: answer = successor(block->next()); break;
    default: break;
  }
  if (answer.final || answer.flags == isa::kNoFlags || depth == 0) {
    block->live_out = answer.flags;
    block->knows_out = true;
  }
  return answer;
}

Blocks::Answer Blocks::LiveIn(Block* block, int depth) {
  if (block->knows_in) return {block->live_in, true};
  // An instruction across the border to code that may change.
  if (!code_->MayChange(block->pc) && code_->MayChange(block->next() - 1)) return {isa::kAllFlags, true};
  isa::Flags read = isa::kNoFlags;
  isa::Flags killed = isa::kNoFlags;
  for (const Instruction& i : block->instructions) {
    read = static_cast<isa::Flags>(read | (i.read & ~killed));
    killed = static_cast<isa::Flags>(killed | i.killed);
    if (killed == isa::kAllFlags) break;
  }
  Answer answer{read, true};
  if (killed != isa::kAllFlags) {
    const Answer out = LiveOut(block, depth);
    answer = {static_cast<isa::Flags>(read | (out.flags & ~killed)), out.final};
  }
  if (answer.final || answer.flags == isa::kNoFlags || depth == 0) {
    block->live_in = answer.flags;
    block->knows_in = true;
  }
  return answer;
}

}  // namespace tally
