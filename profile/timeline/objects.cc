#include "profile/timeline/objects.h"

#include <fmt/format.h>

namespace tally {
namespace {

constexpr std::size_t kLongestName = 4096;  // PATH_MAX

}  // namespace

ObjectNumber TimelineObjects::Add(ObjectKind kind, std::string name) {
  objects_.push_back({kind, std::move(name), 0, {}});
  return static_cast<ObjectNumber>(objects_.size() - 1);
}

ObjectNumber TimelineObjects::Other(ObjectKind kind) {
  ObjectNumber& other = other_[static_cast<std::size_t>(kind)];
  if (other == kNoObject) other = Add(kind, fmt::format("other {}s", Name(kind)));
  ++objects_[other].others;
  return other;
}

ObjectNumber TimelineObjects::Find(ObjectKind kind, std::string_view name) {
  const std::string key = fmt::format("{} {}", Name(kind), name.substr(0, kLongestName));
  const auto found = by_name_.find(key);
  if (found != by_name_.end()) return found->second;
  if (objects_.size() >= kMost) return Other(kind);
  const ObjectNumber object = Add(kind, std::string(name.substr(0, kLongestName)));
  by_name_.emplace(key, object);
  return object;
}

ObjectNumber TimelineObjects::Make(ObjectKind kind) {
  if (objects_.size() >= kMost) return Other(kind);
  return Add(kind, fmt::format("{} {}", Name(kind), ++made_[static_cast<std::size_t>(kind)]));
}

void TimelineObjects::AddToName(ObjectNumber object, std::string_view words) {
  TimelineObject& of = objects_[object];
  // Connected over and over, as datagram sockets may be, it keeps its first names.
  if (of.others == 0 && of.name.size() + words.size() < 200) of.name += fmt::format(" {}", words);
}

}  // namespace tally
