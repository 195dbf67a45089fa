// Percentage is how much of a test's points an accepted answer earns: 0 to 100, or more for a bonus. It is kept as an exact
// fraction, because contest systems multiply and round it: 200/3 percent of 3 points is 2, not 1.9999.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tally {

// Beyond this a checker has mistaken something: points for percents, most likely.
inline constexpr std::int64_t kLargestPercentage = 1000;

struct Percentage {
  // In lowest terms.
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;

  [[nodiscard]] double value() const {
    return static_cast<double>(numerator) / static_cast<double>(denominator);
  }
  [[nodiscard]] bool zero() const { return numerator == 0; }
  bool operator==(const Percentage&) const = default;
};

inline constexpr Percentage kAllPoints{100, 1};
inline constexpr Percentage kNoPoints{0, 1};

// Reads "42", "42.5", ".5", "4e1" (15 digits behind the point count) or a fraction "7/42", with blanks around
// it; nullopt for anything else, for a part beyond 10^15 and for a value outside 0..kLargestPercentage.
std::optional<Percentage> ParsePercentage(std::string_view text);

}  // namespace tally
