#include "checkers/percentage.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <numeric>

namespace tally {
namespace {

// kLargestPercentage * 10^15 still fits 64 bits.
constexpr int kDecimals = 15;
constexpr std::int64_t kLargestPart = 1'000'000'000'000'000;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string_view TakeDigits(std::string_view& text) {
  const auto size =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), IsDigit) - text.begin());
  const std::string_view digits = text.substr(0, size);
  text.remove_prefix(size);
  return digits;
}

bool TakeOne(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<Percentage> InRange(std::int64_t numerator, std::int64_t denominator) {
  if (denominator == 0 || numerator / denominator > kLargestPercentage) return std::nullopt;
  if (numerator / denominator == kLargestPercentage && numerator % denominator != 0) return std::nullopt;
  const std::int64_t common = std::gcd(numerator, denominator);
  return Percentage{numerator / common, denominator / common};
}

std::optional<std::int64_t> ParsePart(std::string_view digits) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value < 0 || value > kLargestPart) {
    return std::nullopt;
  }
  return value;
}

// digits * 10^scale, where the digits are `whole` and then `decimals`.
std::optional<Percentage> Decimal(std::string_view whole, std::string_view decimals, std::int64_t scale) {
  constexpr std::int64_t kUnit = kLargestPart;  // 10^kDecimals
  const auto digits = static_cast<std::int64_t>(whole.size() + decimals.size());
  const std::int64_t point = static_cast<std::int64_t>(whole.size()) + scale;  // digits before the point
  std::int64_t value = 0;
  // Digits beyond either end are zeros; those far behind the point are dropped, those far before overflow.
  for (std::int64_t i = std::min<std::int64_t>(0, point); i < point + kDecimals; ++i) {
    if (i >= digits && value == 0) break;
    const bool given = i >= 0 && i < digits;
    const auto at = static_cast<std::size_t>(i);
    const char digit = !given ? '0' : at < whole.size() ? whole[at] : decimals[at - whole.size()];
    if (value > kLargestPercentage * kUnit / 10) return std::nullopt;
    value = value * 10 + (digit - '0');
  }
  return InRange(value, kUnit);
}

}  // namespace

std::optional<Percentage> ParsePercentage(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\v\f\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return std::nullopt;
  text = text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);

  TakeOne(text, "+");
  const std::string_view whole = TakeDigits(text);
  if (TakeOne(text, "/")) {
    const std::optional<std::int64_t> numerator = ParsePart(whole);
    const std::optional<std::int64_t> denominator = ParsePart(text);
    if (!numerator || !denominator) return std::nullopt;
    return InRange(*numerator, *denominator);
  }
  std::string_view decimals;
  if (TakeOne(text, ".")) decimals = TakeDigits(text);
  if (whole.empty() && decimals.empty()) return std::nullopt;
  std::int64_t scale = 0;
  if (TakeOne(text, "eE")) {
    const bool negative = !text.empty() && text.front() == '-';
    TakeOne(text, "+-");
    const std::string_view digits = TakeDigits(text);
    if (digits.empty() || digits.size() > 4) return std::nullopt;
    std::from_chars(digits.data(), digits.data() + digits.size(), scale);
    if (negative) scale = -scale;
  }
  if (!text.empty()) return std::nullopt;
  return Decimal(whole, decimals, scale);
}

}  // namespace tally
