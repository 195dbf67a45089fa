// Where and how much a fragment adds to the counter (translator.h tells the rules).
#pragma once

#include <cstddef>
#include <optional>

#include "supervisor/api/translation_options.h"
#include "supervisor/translator/emit/blocks.h"
#include "supervisor/translator/guest/guest_code.h"

namespace tally {

struct FragmentPlan {
  int total = 0;      // pending at its end, before adding
  int ahead = 0;      // what it adds beyond that, for the block that follows
  bool flush = false;
  std::optional<std::size_t> before;  // the instruction in front of which the flags are dead
};

// Is the last instruction executed within the fragment, so that it counts there? A fault is counted by nobody, one that is
// executed alone when it is done.
bool LastCounts(const Block& block);
// Is it executed at all, so that an observer is told of it?
bool IsNotedWhole(const Block& block);

// Does it end in an instruction at which a task's turn may end: a call, a return, a jump to where a register says, a jump back?
// Every loop has one, and which instructions they are does not depend on how they are translated.
bool MayEndTurn(const Block& block);

// The loop whose last block it is; of length 0 if it is none's.
Loop LoopEndingWith(const Block& block, bool in_library, Blocks* blocks);

// Does it end in a conditional jump back that leads out of a loop of which it is a part?
bool IsWayOut(Block* block, bool in_library, Blocks* blocks);

// Of the translation of `block` that is entered with `pending`. `hands_on`: it need not count where the next can. `in_library`: of loops
// only those of one block are unrolled.
FragmentPlan PlanFragment(Block* block, int pending, bool hands_on, bool in_library, Blocks* blocks, const GuestCode& code, const TranslationOptions& options, bool by_turns);

}  // namespace tally
