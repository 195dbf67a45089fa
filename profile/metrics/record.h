// What judging tells its agent: datagrams of one fixed form, so that telling is one system call and no allocation. Both
// ends come from one build and lie beside each other; the version guards against a folder where they do not.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tally {

// The steps of judging; others have names of their own.
inline constexpr std::string_view kCompileTiming = "compile", kRunTiming = "run", kCheckTiming = "check", kQueueTiming = "queue";

struct MetricsRecord {
  static constexpr std::uint32_t kVersion = 2;
  enum class Kind : std::uint32_t { kBatch, kTiming };

  std::uint32_t version = kVersion;
  Kind kind = Kind::kBatch;
  std::uint64_t batch = 0;
  std::int64_t unix_ms = 0;
  std::int64_t nanoseconds = 0;  // of a timing
  std::uint32_t name_size = 0;
  std::array<char, 108> name{};  // of a batch, or of the step that a timing is of; not terminated

  // What is too long is cut.
  void SetName(std::string_view text) {
    name_size = static_cast<std::uint32_t>(std::min(text.size(), name.size()));
    std::copy_n(text.begin(), name_size, name.begin());
  }
  [[nodiscard]] std::string_view Name() const { return {name.data(), name_size}; }
};
static_assert(sizeof(MetricsRecord) == 144 && std::is_trivially_copyable_v<MetricsRecord>);

inline std::int64_t UnixMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace tally
