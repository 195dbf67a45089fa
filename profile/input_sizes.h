// Which sizes a series has: corner cases first, then scales up to the bound on n. All of it is the user's to change.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tally {

struct SizeOptions {
  std::vector<std::uint64_t> corner_cases = {0, 1};  // whatever the bound is
  std::vector<std::uint64_t> scales = {1'000, 5'000, 10'000, 50'000, 100'000};
  std::optional<std::uint64_t> n_max;  // absent: all scales
};

// More than anybody waits for.
inline constexpr std::size_t kMostSizes = 100;

// In the order given, each size once.
std::vector<std::uint64_t> InputSizes(const SizeOptions& options);

}  // namespace tally
