#include "supervisor/translator/emit/units.h"

#include <algorithm>

#include "supervisor/translator/emit/emitter.h"
#include "supervisor/translator/emit/unit_plan.h"

namespace tally {
namespace {

// Our own code in front of an instruction.
std::size_t OursBefore(const Unit& unit, std::size_t i) {
  return (i == 0 ? unit.note_length : 0U) + (i == unit.add_before ? unit.add_length : 0U) + (i == unit.back_before ? Emitter::kLoadR11Size : 0U);
}

// The instruction whose code holds `offset`, and where that begins. Our own code belongs to the instruction before it.
struct Found {
  std::size_t index;
  std::size_t start;
};

Found Find(const Unit& unit, std::size_t offset) {
  const auto instructions = unit.block->instructions;
  std::size_t start = OursBefore(unit, 0);
  for (std::size_t i = 0;; ++i) {
    const std::size_t next = start + instructions[i].length + OursBefore(unit, i + 1);
    if (offset < next || i + 1 == instructions.size()) return {i, start};
    start = next;
  }
}

}  // namespace

GuestPlace Units::PlaceIn(const Unit& unit, HostPc at) {
  const std::size_t offset = at - unit.begin;
  const Found found = Find(unit, offset);

  GuestPlace place;
  int executed = unit.pending + static_cast<int>(found.index);
  place.block = unit.block;
  place.instruction = &unit.block->instructions[found.index];
  place.pc = place.instruction->pc;
  constexpr std::size_t kSyscallLength = 2;  // in front of it only its number is noted down
  place.noted = unit.note_length != 0 && offset >= unit.noted_at;
  if (offset < unit.noted_at) place.before_note = unit.begin;
  const bool at_call = unit.call_end != 0 && offset + kSyscallLength == unit.call_end;
  place.clean = offset == 0 || offset == found.start || at_call;
  place.lent = unit.lent && (found.index < unit.back_before || offset < found.start);
  if (unit.call_end != 0 && offset == unit.call_end) {
    place.after_call = true;
    place.clean = true;
    place.lent = false;
    place.pc = place.instruction->next();
    ++executed;
  }
  if (unit.trap_end != 0 && offset == unit.trap_end) {
    place.clean = true;
    place.pc = place.instruction->next();
  }
  const bool has_added = unit.added != 0 && found.index >= unit.add_before && offset >= found.start;
  const std::size_t noted = unit.block->instructions.size() - (IsNotedWhole(*unit.block) ? 0 : 1);
  const auto done = static_cast<std::size_t>(executed - unit.pending);
  place.not_executed = noted > done ? noted - done : 0;
  place.uncounted = executed - (has_added ? unit.added : 0);
  if (unit.block->end == Flow::kSystemCall && has_added && !place.after_call) place.uncounted_calls = -1;
  return place;
}

void Units::Add(HostPc zone, const Unit& unit) {
  const auto last = std::find_if(chunks_.rbegin(), chunks_.rend(), [&](const Chunk& chunk) { return chunk.zone == zone; });
  if (last == chunks_.rend() || last->units.size() == kChunk) {
    Unit* const first = pool_->TakeArray<Unit>(kChunk);
    *first = unit;
    chunks_.push_back({zone, {first, 1}});
  } else {
    last->units.data()[last->units.size()] = unit;
    last->units = {last->units.data(), last->units.size() + 1};
  }
}

const Unit* Units::Holding(HostPc at) const {
  for (const Chunk& chunk : chunks_) {
    const auto after = std::upper_bound(chunk.units.begin(), chunk.units.end(), at,
                                        [](HostPc value, const Unit& unit) { return value < unit.begin; });
    if (after == chunk.units.begin()) continue;
    const Unit& unit = *std::prev(after);
    if (at < unit.begin + unit.end) return &unit;
  }
  return nullptr;
}

std::optional<GuestPlace> Units::PlaceOf(HostPc at) const {
  const Unit* const unit = Holding(at);
  if (unit == nullptr) return std::nullopt;
  return PlaceIn(*unit, at);
}

std::size_t Units::LengthAt(HostPc at) const {
  const Unit* const unit = Holding(at);
  return unit != nullptr && unit->begin == at ? unit->end : 0;
}

}  // namespace tally
