// The files, sockets and pipes that a run used, and how much each. Every one has a row of its own; the rows are on disk (spilled.h), so a program
// that opens a million files fills no memory.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "profile/timeline/call_table.h"
#include "profile/timeline/resource.h"
#include "profile/timeline/spilled.h"

namespace tally {

using ObjectNumber = std::uint32_t;
inline constexpr ObjectNumber kNoObject = ~0U;

inline constexpr std::size_t kLongestObjectName = 4096;  // PATH_MAX

// As it is in a timeline file; its name lies among the names there.
struct ObjectRow {
  std::uint32_t kind = 0;  // an ObjectKind
  std::uint32_t name_size = 0;
  std::uint64_t name_at = 0;
  CallUsage usage;
};
static_assert(sizeof(ObjectRow) == 64);

// One that has been read.
struct TimelineObject {
  ObjectKind kind = ObjectKind::kUnknown;
  std::string name;
  CallUsage usage;
};

class TimelineObjects {
 public:
  // In `folder`, which is the caller's. SystemError, here and later, where the disk is full.
  explicit TimelineObjects(const std::string& folder) : rows_(folder), names_(folder), by_name_(folder), folder_(folder) { by_name_.Resize(kFewest); }

  // The one of this kind and name; files are known by their names.
  ObjectNumber Find(ObjectKind kind, std::string_view name);
  // One more of a kind whose members have no names: "pipe 3".
  ObjectNumber Make(ObjectKind kind);
  // A socket that is connected or bound: "socket 3 to 127.0.0.1:80".
  void AddToName(ObjectNumber object, std::string_view words);

  [[nodiscard]] CallUsage& usage(ObjectNumber object) { return rows_.at(object).usage; }
  [[nodiscard]] ObjectKind kind(ObjectNumber object) const { return static_cast<ObjectKind>(rows_.at(object).kind); }
  [[nodiscard]] std::string name(ObjectNumber object) const { return std::string(NameOf(rows_.at(object))); }

  // For the timeline file.
  [[nodiscard]] std::string_view rows() const { return rows_.bytes(); }
  [[nodiscard]] std::string_view names() const { return names_.bytes(); }

 private:
  static constexpr std::size_t kFewest = 1024;  // places in the index, a power of two

  // A place of the index: which object, 1 more than its number, and the upper half of the hash of its name.
  struct Place {
    std::uint32_t object = 0;
    std::uint32_t hash = 0;
  };
  // The object, or where it would be put, or neither where there is no place near.
  struct Search {
    Place* free;
    ObjectNumber object;
  };
  static Search Look(const Spilled<Place>& index, std::uint64_t hash, const std::function<bool(ObjectNumber)>& is_it);

  [[nodiscard]] std::string_view NameOf(const ObjectRow& row) const { return names_.bytes().substr(row.name_at, row.name_size); }
  ObjectNumber Add(ObjectKind kind, std::string_view name);
  void SetName(ObjectNumber object, std::string_view name);
  void GrowIndex();

  Spilled<ObjectRow> rows_;
  Spilled<char> names_;
  Spilled<Place> by_name_;
  std::size_t named_ = 0;
  std::string folder_;
  std::array<std::uint64_t, kObjectKinds> made_{};
};

}  // namespace tally
