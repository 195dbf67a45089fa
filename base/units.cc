#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/error.h"

namespace tally {
namespace {

struct Suffix {
  std::string_view name;
  double factor;
};

struct Number {
  double value;
  std::string lower_suffix;
};

// Splits "1.5GiB" into 1.5 and "gib". False when there is no plain non-negative number in front.
bool SplitNumber(std::string_view text, Number* out) {
  const auto end_of_digits = text.find_first_not_of("0123456789.");
  const std::string_view digits = text.substr(0, end_of_digits);
  if (digits.empty()) return false;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), out->value, std::chars_format::fixed);
  if (error != std::errc() || end != digits.data() + digits.size()) return false;
  out->lower_suffix.clear();
  for (const char c : text.substr(digits.size())) {
    if (c != ' ') out->lower_suffix += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  return true;
}

// `bare`: what a number without a suffix counts; 0: it is a mistake, for which `spellings` has the ways to say what is meant.
template <std::size_t N>
double Scale(std::string_view text, const std::array<Suffix, N>& suffixes, double bare, double largest,
             std::string_view forms, std::string_view spellings = {}) {
  Number number{};
  if (SplitNumber(text, &number)) {
    const bool is_bare = number.lower_suffix.empty();
    if (is_bare && number.value == 0) return 0;
    if (is_bare && bare == 0) throw UserError(fmt::format("\"{0}\" has no unit: write {1}", text, fmt::format(fmt::runtime(spellings), text)));
    double factor = is_bare ? bare : 0;
    for (const Suffix& suffix : suffixes) {
      if (number.lower_suffix == suffix.name) factor = suffix.factor;
    }
    const double scaled = number.value * factor;
    if (factor > 0 && scaled <= largest) return scaled;
    if (factor > 0) throw UserError(fmt::format("\"{}\" is larger than this machine can count", text));
  }
  throw UserError(fmt::format("\"{}\" is not {}", text, forms));
}

constexpr double kKi = 1024, kMi = kKi * 1024, kGi = kMi * 1024, kTi = kGi * 1024;
constexpr double kLargestBytes = 9e18, kLargestNanoseconds = 3.2e16;  // a year of time, so that sums do not overflow

}  // namespace

Bytes ParseBytes(std::string_view text) {
  static constexpr std::array<Suffix, 13> kSuffixes{{{"b", 1},
                                                     {"k", kKi},
                                                     {"kb", kKi},
                                                     {"kib", kKi},
                                                     {"m", kMi},
                                                     {"mb", kMi},
                                                     {"mib", kMi},
                                                     {"g", kGi},
                                                     {"gb", kGi},
                                                     {"gib", kGi},
                                                     {"t", kTi},
                                                     {"tb", kTi},
                                                     {"tib", kTi}}};
  return {static_cast<std::uint64_t>(
      Scale(text, kSuffixes, 0, kLargestBytes, "a size: write a number with b, k, M or G, like 64M", "{0}M, {0}k or {0}b"))};
}

Nanoseconds ParseDuration(std::string_view text) {
  static constexpr std::array<Suffix, 7> kSuffixes{
      {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}}};
  return Nanoseconds(static_cast<std::int64_t>(
      Scale(text, kSuffixes, 0, kLargestNanoseconds, "a duration: write a number with ms, s, m or h, like 1.5s", "{0}s or {0}ms")));
}

Instructions ParseInstructions(std::string_view text) {
  static constexpr std::array<Suffix, 4> kSuffixes{{{"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"t", 1e12}}};
  return {static_cast<std::uint64_t>(Scale(text, kSuffixes, 1, 9e18,
                                           "an instruction count: write a number, or one with k, m or g"))};
}

std::string FormatBytes(Bytes bytes) {
  static constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes.count);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  if (unit == 0) return FormatCount(bytes.count) + " B";
  return fmt::format("{:.{}f} {}", value, value < 100 ? 1 : 0, kUnits[unit]);
}

std::string FormatDuration(Nanoseconds duration) {
  const double ms = std::chrono::duration<double, std::milli>(duration).count();
  if (ms < 10) return fmt::format("{:.1f} ms", ms);
  if (ms < 1000) return fmt::format("{:.0f} ms", ms);
  return fmt::format("{:.2f} s", ms / 1000);
}

namespace {

// Three figures or more, with at most `decimals` behind the point.
std::string ThreeFigures(double value, int decimals) {
  if (value >= 1000) return FormatCount(static_cast<std::uint64_t>(std::llround(value)));
  return fmt::format("{:.{}f}", value, std::min(decimals, value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0));
}

}  // namespace

std::string FormatMilliseconds(Nanoseconds duration) { return ThreeFigures(std::chrono::duration<double, std::milli>(duration).count(), 3) + " ms"; }

std::string FormatMebibytes(Bytes bytes) { return ThreeFigures(static_cast<double>(bytes.count) / kMi, 2) + " MiB"; }

std::string CountOf(std::uint64_t count, std::string_view noun, std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", noun);
  return plural.empty() ? fmt::format("{} {}s", FormatCount(count), noun) : fmt::format("{} {}", FormatCount(count), plural);
}

std::string FormatCount(std::uint64_t count) {
  const std::string digits = std::to_string(count);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

}  // namespace tally
