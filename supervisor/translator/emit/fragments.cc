#include "supervisor/translator/emit/fragments.h"

#include <algorithm>

#include "supervisor/translator/emit/emitter.h"
#include "supervisor/translator/emit/fragment_plan.h"

namespace tally {
namespace {

// Our own code in front of an instruction.
std::size_t OursBefore(const Fragment& fragment, std::size_t i) {
  return (i == 0 ? fragment.note_length : 0U) + (i == fragment.add_before ? fragment.add_length : 0U) + (i == fragment.back_before ? Emitter::kLoadR11Size : 0U);
}

// The instruction whose code holds `offset`, and where that begins. Our own code belongs to the instruction before it.
struct Found {
  std::size_t index;
  std::size_t start;
};

Found Find(const Fragment& fragment, std::size_t offset) {
  const auto instructions = fragment.block->instructions;
  std::size_t start = OursBefore(fragment, 0);
  for (std::size_t i = 0;; ++i) {
    const std::size_t next = start + instructions[i].length + OursBefore(fragment, i + 1);
    if (offset < next || i + 1 == instructions.size()) return {i, start};
    start = next;
  }
}

}  // namespace

GuestPlace Fragments::PlaceIn(const Fragment& fragment, HostPc at) {
  const std::size_t offset = at - fragment.begin;
  const Found found = Find(fragment, offset);

  GuestPlace place;
  int executed = fragment.pending + static_cast<int>(found.index);
  place.block = fragment.block;
  place.instruction = &fragment.block->instructions[found.index];
  place.pc = place.instruction->pc;
  constexpr std::size_t kSyscallLength = 2;  // in front of it only its number is noted down
  place.noted = fragment.note_length != 0 && offset >= fragment.noted_at;
  if (offset < fragment.noted_at) place.before_note = fragment.begin;
  place.at_call = fragment.call_end != 0 && offset + kSyscallLength == fragment.call_end;
  place.clean = offset == 0 || offset == found.start || place.at_call;
  place.lent = fragment.lent && (found.index < fragment.back_before || offset < found.start);
  if (fragment.call_end != 0 && offset == fragment.call_end) {
    place.after_call = true;
    place.clean = true;
    place.lent = false;
    place.pc = place.instruction->next();
    ++executed;
  }
  if (fragment.trap_end != 0 && offset == fragment.trap_end) {
    place.clean = true;
    place.pc = place.instruction->next();
  }
  const bool has_added = fragment.added != 0 && found.index >= fragment.add_before && offset >= found.start;
  const std::size_t noted = fragment.block->instructions.size() - (IsNotedWhole(*fragment.block) ? 0 : 1);
  const auto done = static_cast<std::size_t>(executed - fragment.pending);
  place.not_executed = noted > done ? noted - done : 0;
  place.uncounted = executed - (has_added ? fragment.added : 0);
  if (fragment.block->end == Flow::kSystemCall && has_added && !place.after_call) place.uncounted_calls = -1;
  return place;
}

void Fragments::Add(HostPc region, const Fragment& fragment) {
  const auto last = std::find_if(chunks_.rbegin(), chunks_.rend(), [&](const Chunk& chunk) { return chunk.region == region; });
  if (last == chunks_.rend() || last->fragments.size() == kChunk) {
    Fragment* const first = pool_->TakeArray<Fragment>(kChunk);
    *first = fragment;
    chunks_.push_back({region, {first, 1}});
  } else {
    last->fragments.data()[last->fragments.size()] = fragment;
    last->fragments = {last->fragments.data(), last->fragments.size() + 1};
  }
}

const Fragment* Fragments::Holding(HostPc at) const {
  for (const Chunk& chunk : chunks_) {
    const auto after = std::upper_bound(chunk.fragments.begin(), chunk.fragments.end(), at,
                                        [](HostPc value, const Fragment& fragment) { return value < fragment.begin; });
    if (after == chunk.fragments.begin()) continue;
    const Fragment& fragment = *std::prev(after);
    if (at < fragment.begin + fragment.end) return &fragment;
  }
  return nullptr;
}

std::optional<GuestPlace> Fragments::PlaceOf(HostPc at) const {
  const Fragment* const fragment = Holding(at);
  if (fragment == nullptr) return std::nullopt;
  return PlaceIn(*fragment, at);
}

std::size_t Fragments::LengthAt(HostPc at) const {
  const Fragment* const fragment = Holding(at);
  return fragment != nullptr && fragment->begin == at ? fragment->end : 0;
}

}  // namespace tally
