#include "supervisor/translator/units.h"

#include <algorithm>

namespace tally {
namespace {

GuestPlace PlaceIn(const Unit& unit, HostPc at) {
  const auto offset = static_cast<std::uint16_t>(at - unit.begin);
  const auto after = std::upper_bound(unit.starts.begin(), unit.starts.end(), offset);
  const bool before_first = after == unit.starts.begin();  // in the add at the head
  const auto index = static_cast<std::size_t>(before_first ? 0 : after - unit.starts.begin() - 1);

  GuestPlace place;
  std::uint32_t executed = unit.pending + static_cast<std::uint32_t>(index);
  place.instruction = &unit.block->instructions[index];
  place.pc = place.instruction->pc;
  place.clean = at == unit.begin || (!before_first && unit.starts[index] == offset);
  if (unit.call_end != 0 && at == unit.call_end) {
    place.after_call = true;
    place.clean = true;
    place.pc = place.instruction->next();
    ++executed;
  }
  if (unit.trap_end != 0 && at == unit.trap_end) {
    place.clean = true;
    place.pc = place.instruction->next();
  }
  const bool has_added = unit.added != 0 && at >= unit.add_end;
  const std::uint32_t added = has_added ? unit.added : 0;
  place.uncounted = static_cast<std::int64_t>(executed) - static_cast<std::int64_t>(added);
  if (unit.block->end == Flow::kSystemCall && has_added && !place.after_call) place.uncounted_calls = -1;
  return place;
}

}  // namespace

void Units::Add(HostPc zone, Unit unit) { zones_[zone].push_back(std::move(unit)); }

std::optional<GuestPlace> Units::PlaceOf(HostPc at) const {
  for (const auto& [zone, units] : zones_) {
    const auto after = std::upper_bound(units.begin(), units.end(), at,
                                        [](HostPc value, const Unit& unit) { return value < unit.begin; });
    if (after == units.begin()) continue;
    const Unit& unit = *std::prev(after);
    if (at < unit.end) return PlaceIn(unit, at);
  }
  return std::nullopt;
}

}  // namespace tally
