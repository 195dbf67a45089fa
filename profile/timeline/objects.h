// The files, sockets and pipes that a run used, and how much each. A few thousand have a row of their own; what comes
// after them is one row for each kind, that says how many. So a program that opens a million files fills no memory.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profile/timeline/call_table.h"
#include "profile/timeline/resource.h"

namespace tally {

using ObjectNumber = std::uint32_t;
inline constexpr ObjectNumber kNoObject = ~0U;

struct TimelineObject {
  ObjectKind kind = ObjectKind::kUnknown;
  std::string name;
  std::uint64_t others = 0;  // 0: this is one object; else so many that have no row of their own. Of files: opens of such
  CallUsage usage;
};

class TimelineObjects {
 public:
  static constexpr std::size_t kMost = 4096;

  // The one of this kind and name; files are known by their names.
  ObjectNumber Find(ObjectKind kind, std::string_view name);
  // One more of a kind whose members have no names: "pipe 3".
  ObjectNumber Make(ObjectKind kind);
  // A socket that is connected or bound: "socket 3 to 127.0.0.1:80".
  void AddToName(ObjectNumber object, std::string_view words);

  [[nodiscard]] TimelineObject& at(ObjectNumber object) { return objects_[object]; }
  [[nodiscard]] std::vector<TimelineObject> Take() { return std::move(objects_); }

 private:
  ObjectNumber Other(ObjectKind kind);
  ObjectNumber Add(ObjectKind kind, std::string name);

  std::vector<TimelineObject> objects_;
  std::unordered_map<std::string, ObjectNumber> by_name_;
  std::array<std::uint64_t, kObjectKinds> made_{};
  std::array<ObjectNumber, kObjectKinds> other_ = [] {
    std::array<ObjectNumber, kObjectKinds> none;
    none.fill(kNoObject);
    return none;
  }();
};

}  // namespace tally
