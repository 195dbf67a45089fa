// Units are types: a limit in bytes cannot meet one in instructions. Durations are std::chrono.
// Parse* read what people type ("64M", "1.5s", "2g") and throw UserError that names the accepted forms.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace tally {

using Nanoseconds = std::chrono::nanoseconds;
using Milliseconds = std::chrono::milliseconds;

struct Bytes {
  std::uint64_t count = 0;
  static constexpr Bytes KiB(std::uint64_t n) { return {n << 10}; }
  static constexpr Bytes MiB(std::uint64_t n) { return {n << 20}; }
  [[nodiscard]] constexpr std::uint64_t kib() const { return count >> 10; }  // rounded down
  [[nodiscard]] constexpr std::uint64_t kib_up() const { return (count + 1023) >> 10; }
  auto operator<=>(const Bytes&) const = default;
};

// Of Unicode: of what people read, whatever the bytes (base/utf8.h).
struct Characters {
  std::uint64_t count = 0;
  auto operator<=>(const Characters&) const = default;
};

struct Instructions {
  std::uint64_t count = 0;
  auto operator<=>(const Instructions&) const = default;
};

// Virtual time: exectime at 2 GHz, the rule contest systems already use (sio2jail divides by 2,000,000).
inline constexpr std::uint64_t kInstructionsPerMillisecond = 2'000'000;
constexpr Milliseconds VirtualTime(Instructions n) {
  return Milliseconds(static_cast<std::int64_t>(n.count / kInstructionsPerMillisecond));
}
// The same to the nanosecond: for people, who see a millisecond's parts.
constexpr Nanoseconds ExactVirtualTime(Instructions n) {
  return Nanoseconds(static_cast<std::int64_t>(n.count / (kInstructionsPerMillisecond / 1'000'000)));
}

// A number without its unit is refused, but for 0: what is meant by 2 differs from tool to tool, and a limit that is a
// thousand times another one is a wrong verdict.
// "64M", "65536k", "1g", "512b", "1.5GiB"; 1024-based, any case.
Bytes ParseBytes(std::string_view text);
// "1s", "250ms", "2m", "1h", "1.5s".
Nanoseconds ParseDuration(std::string_view text);
// "5000000", "5m", "2g"; decimal multipliers, as instruction counts are.
Instructions ParseInstructions(std::string_view text);

// "63.4 MiB", "512 B": three significant figures, for people.
std::string FormatBytes(Bytes bytes);
// "0.83 s", "12 ms": for people.
std::string FormatDuration(Nanoseconds duration);
// For columns, whose figures are all in one unit, three of them or more: "0.412 ms", "16.5 ms", "1,234 ms".
std::string FormatMilliseconds(Nanoseconds duration);
// "0.87 MiB", "64.0 MiB", "1,536 MiB".
std::string FormatMebibytes(Bytes bytes);
// "1,234,567".
std::string FormatCount(std::uint64_t count);
// "1 test", "1,234 tests"; `plural` where it takes more than an s.
std::string CountOf(std::uint64_t count, std::string_view noun, std::string_view plural = "");

}  // namespace tally
