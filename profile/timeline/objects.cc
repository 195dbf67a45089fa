#include "profile/timeline/objects.h"

#include <fmt/format.h>

namespace tally {
namespace {

std::uint64_t HashOf(ObjectKind kind, std::string_view name) { return std::hash<std::string_view>()(name) + static_cast<std::uint64_t>(kind); }

}  // namespace

void TimelineObjects::SetName(ObjectNumber object, std::string_view name) {
  ObjectRow& row = rows_.at(object);
  row.name_at = names_.size();
  row.name_size = static_cast<std::uint32_t>(name.size());
  names_.Add(name.data(), name.size());
}

ObjectNumber TimelineObjects::Add(ObjectKind kind, std::string_view name) {
  const ObjectRow row{.kind = static_cast<std::uint32_t>(kind)};
  rows_.Add(&row, 1);
  const auto object = static_cast<ObjectNumber>(rows_.size() - 1);
  SetName(object, name);
  return object;
}

// Nobody's names lie as badly as this by chance. Where a program has chosen them so that they do, its files have a row each time they are opened.
constexpr std::size_t kMostPlaces = 256;

TimelineObjects::Search TimelineObjects::Look(const Spilled<Place>& index, std::uint64_t hash, const std::function<bool(ObjectNumber)>& is_it) {
  std::size_t place = static_cast<std::size_t>(hash) & (index.size() - 1);
  for (std::size_t i = 0; i < kMostPlaces; ++i, place = (place + 1) & (index.size() - 1)) {
    const Place& here = index.at(place);
    if (here.object == 0) return {&index.at(place), kNoObject};
    if (here.hash == static_cast<std::uint32_t>(hash >> 32) && is_it(here.object - 1)) return {nullptr, here.object - 1};
  }
  return {nullptr, kNoObject};
}

ObjectNumber TimelineObjects::Find(ObjectKind kind, std::string_view name) {
  name = name.substr(0, kLongestObjectName);
  const std::uint64_t hash = HashOf(kind, name);
  const Search found = Look(by_name_, hash, [&](ObjectNumber object) { return this->kind(object) == kind && NameOf(rows_.at(object)) == name; });
  if (found.object != kNoObject) return found.object;
  const ObjectNumber object = Add(kind, name);
  if (found.free == nullptr) return object;
  *found.free = {object + 1, static_cast<std::uint32_t>(hash >> 32)};
  if (++named_ * 2 > by_name_.size()) GrowIndex();
  return object;
}

// What has another name by now (AddToName) is found by neither.
void TimelineObjects::GrowIndex() {
  Spilled<Place> grown(folder_);
  grown.Resize(by_name_.size() * 2);
  for (std::size_t i = 0; i < by_name_.size(); ++i) {
    const Place old = by_name_.at(i);
    if (old.object == 0) continue;
    const ObjectRow& row = rows_.at(old.object - 1);
    const std::uint64_t hash = HashOf(static_cast<ObjectKind>(row.kind), NameOf(row));
    if (Place* const free = Look(grown, hash, [](ObjectNumber) { return false; }).free) *free = old;
  }
  by_name_ = std::move(grown);
}

ObjectNumber TimelineObjects::Make(ObjectKind kind) {
  return Add(kind, fmt::format("{} {}", Name(kind), ++made_[static_cast<std::size_t>(kind)]));
}

void TimelineObjects::AddToName(ObjectNumber object, std::string_view words) {
  // Connected over and over, as datagram sockets may be, it keeps its first names.
  if (rows_.at(object).name_size + words.size() < 200) SetName(object, fmt::format("{} {}", name(object), words));
}

}  // namespace tally
