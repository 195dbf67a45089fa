// The counts that a growth is fitted to, size by size: their means, and how far one input's count lies from another's.
//
// Misfit and variation are told as parts of the *growth part* of a count, so that neither a constant a thousand times
// larger hides them nor the largest size decides alone:
//   scale(n) = mean(n) - a + 0.05 mean(n),   a = the constant of the best fit with residuals relative to the counts.
// Variation between inputs is estimated over all sizes together, for three inputs of one size say little: its square is
// c n^-g of the scale's, with the c and g in [0, 1.5] that make the counts likeliest.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profile/growth_model.h"

namespace tally {

struct GrowthPoint {
  std::uint64_t n = 0;
  std::uint64_t instructions = 0;
  std::uint64_t bytes = 0;  // read and printed; 0 where not known
};

struct GrowthSize {
  double n = 0;
  std::size_t runs = 0;
  long double mean = 0, bytes = 0;
  long double variance = 0;  // between inputs, as these runs have it
  long double scale = 0;
  long double noise = 0;  // the variance of the mean, as all sizes have it
};

struct GrowthSeries {
  std::vector<GrowthSize> sizes;  // rising
  double spread = 0;              // of one input's count at the largest size: the deviation, of the scale

  [[nodiscard]] double largest() const { return sizes.back().n; }
  [[nodiscard]] std::size_t runs() const;
  // 2^n is told from powers where at least three sizes lie within 20 of the largest.
  [[nodiscard]] bool MayBeExponential() const;
  // Numbers get longer as n grows, by no more than log n does: may a term for each byte explain what `function` does not?
  [[nodiscard]] bool BytesGoWith(const GrowthFunction& function) const;
};

// Sizes below `smallest` take no part, nor runs without a count.
GrowthSeries SeriesOfPoints(const std::vector<GrowthPoint>& points, std::uint64_t smallest);

}  // namespace tally
