// The shapes in a timeline file: a header, records of one size in order of time, a row for each file and socket, their names, and the tables
// (tables.h). Numbers are
// as x86-64 stores them. docs/timeline.md has the same for readers in other languages.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "profile/timeline/objects.h"
#include "profile/timeline/resource.h"

namespace tally {

struct TimelineHeader {
  static constexpr std::array<char, 8> kMagic{'T', 'A', 'L', 'L', 'Y', 'T', 'L', '\n'};
  static constexpr std::uint32_t kVersion = 3;

  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t record_size = 64;
  std::uint64_t records = 0;
  std::uint64_t tables_size = 0;  // bytes, up to the end of the file
  std::uint64_t objects = 0;      // rows (ObjectRow) behind the records
  std::uint64_t names_size = 0;   // bytes, between the rows and the tables
  std::uint64_t reserved[2]{};
};
static_assert(sizeof(TimelineHeader) == 64 && std::is_trivially_copyable_v<TimelineHeader>);

// Times are nanoseconds since the program's first instruction.
struct TimelineRecord {
  enum Flag : std::uint16_t {
    kFailed = 1,
    kUnfinished = 2,  // it did not come back from it: what ended the thread, or the run
    kContinued = 4,   // said before: still open where a block begins
    kReads = 8,       // what `amount` counts
    kWrites = 16,
    kOpens = 32,
  };
  std::uint64_t at = 0;     // what the file is sorted by: `begin`, or where the block begins in which this is said again
  std::uint64_t begin = 0;  // time of call
  std::uint64_t end = 0;    // time of return
  std::uint64_t stopped = 0;  // nanoseconds between the two in which the thread was stopped
  std::uint64_t amount = 0;   // bytes
  std::int64_t result = 0;    // as the kernel gave it
  std::uint32_t thread = 0;
  std::uint32_t object = kNoObject;
  std::uint32_t back = 0;     // so many records before this one its block begins (timeline_writer.h)
  std::uint16_t event = 0;
  std::uint16_t flags = 0;

  [[nodiscard]] bool Has(Flag flag) const { return (flags & flag) != 0; }
};
static_assert(sizeof(TimelineRecord) == 64 && std::is_trivially_copyable_v<TimelineRecord>);

// A kind of event, by its number, and what all of them used.
struct TimelineEventKind {
  std::string name;  // "file.write"
  Resource resource = Resource::kCpu;
  CallUsage usage;
};

struct TimelineThread {
  static constexpr std::uint32_t kNone = ~0U;
  std::int32_t tid = 0;           // as Tally sees it, outside the sandbox
  std::uint32_t process = 0;      // the process's first thread
  std::uint32_t parent = kNone;   // who made it
  std::string name;               // of its process: what was executed last
  std::uint64_t begin = 0, end = 0;
  std::uint64_t calls = 0;        // those that are no events, too
  TimeConsumption time{};         // sums up to end - begin
  PerResource<CallUsage> usage{};
};

struct TimelineTables {
  std::string program;
  std::uint64_t duration = 0;  // nanoseconds, from the first instruction to the last thread's end
  std::uint64_t calls = 0;
  std::uint64_t events = 0;
  TimeConsumption time{};      // sums up to `duration`
  PerResource<CallUsage> usage{};
  std::vector<TimelineEventKind> kinds;
  std::vector<TimelineThread> threads;
};

}  // namespace tally
