#include "supervisor/translator/blocks.h"

namespace tally {
namespace {
constexpr int kDepth = 6;
}

Block* Blocks::Find(GuestPc pc) {
  std::unique_ptr<Block>& block = blocks_[pc];
  if (block == nullptr) {
    block = std::make_unique<Block>();
    block->pc = pc;
    Fill(block.get());
  }
  return block.get();
}

void Blocks::Fill(Block* block) {
  GuestPc pc = block->pc;
  while (block->instructions.size() < kLongest) {
    const Instruction instruction = Decode(pc, code_->BytesAt(pc));
    if (instruction.length == 0) {
      block->end = Flow::kRefused;
      block->runs_off = true;
      return;
    }
    block->instructions.push_back(instruction);
    block->end = instruction.flow;
    if (instruction.flow != Flow::kNext) return;
    pc = instruction.next();
  }
}

Blocks::Answer Blocks::LiveOut(Block* block, int depth) {
  if (block->knows_out) return {block->live_out, true};
  if (depth > kDepth) return {isa::kAllFlags, false};
  Answer answer{isa::kAllFlags, true};
  const auto successor = [&](GuestPc pc) { return LiveIn(Find(pc), depth + 1); };
  switch (block->end) {
    case Flow::kConditional:
    case Flow::kLoop: {
      const Answer taken = successor(block->last().target);
      const Answer next = successor(block->next());
      answer = {static_cast<isa::Flags>(taken.flags | next.flags), taken.final && next.final};
      break;
    }
    case Flow::kJump:
    case Flow::kCall: answer = successor(block->last().target); break;
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
