// What judging tells its agent: datagrams of one fixed form, so that telling is one system call and no allocation. Both
// ends come from one build and lie beside each other; the version guards against a folder where they do not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tally {

enum class TimingKind : std::uint32_t { kCompile, kRun, kCheck, kQueue };

inline constexpr std::array<std::string_view, 4> kTimingNames{"compile", "run", "check", "queue"};

inline constexpr std::string_view Name(TimingKind kind) { return kTimingNames[static_cast<std::size_t>(kind)]; }

struct MetricsRecord {
  static constexpr std::uint32_t kVersion = 1;
  enum class Kind : std::uint32_t { kBatch, kTiming };

  std::uint32_t version = kVersion;
  Kind kind = Kind::kBatch;
  TimingKind timing = TimingKind::kCompile;  // of a timing
  std::uint32_t name_size = 0;
  std::uint64_t batch = 0;
  std::int64_t unix_ms = 0;
  std::int64_t nanoseconds = 0;  // of a timing
  std::array<char, 104> name{};  // of a batch; not terminated
};
static_assert(sizeof(MetricsRecord) == 144 && std::is_trivially_copyable_v<MetricsRecord>);

}  // namespace tally
