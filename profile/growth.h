// The growth of a program: which function of n its instruction counts follow.
//
// Theory. The counts are exact: the same input gives the same count again, so what a model leaves over is the model's
// error and no noise. A count is y(n) = a + b f(n) + lower terms: a is the start (libc, or a whole interpreter), b f(n)
// is what we look for, and the lower terms are what tempts: c n + d n log n looks like n while c is large, and reading
// the numbers 1..n looks like n log n because they get longer. So a candidate for f is not fitted alone but with
//   a constant,
//   at most one lower term of the list, and
//   the bytes read and printed, which are known exactly; only where they grow as f does, but for their digits,
// each of them there or not, every coefficient positive, by least squares. A residual at n is divided by the *growth
// part* of y(n), so that neither a constant a thousand times larger hides the model's error nor the largest n decides
// alone:
//   s(n) = y(n) - a' + 0.05 y(n),   a' = the constant of the best fit with residuals relative to y(n).
// A candidate's error is the least, over these fits, of sqrt(sum of squares / (sizes - coefficients)); dividing by what
// is left over keeps few sizes from fitting anything. Fits with bytes count twice their error: digits are explained
// exactly, and what is not may be a log n in disguise.
//
// Choice: the slowest-growing candidate whose error is at most 0.2 %, or at most 3 times the least error of all
// (and 5 %, unless the least is more: then it is the nearest, and the sentence says that it does not fit). The
// second holds where the counts are not smooth (a hash table grows by steps): a faster model must explain them much
// better to be believed. Its term must make at least a tenth of the growth part at the largest size: less is not seen
// there, whatever it would be far beyond. Counts that differ by at most 2 %, or by 1,000 instructions (a number with more
// digits to read), are called 1.
//
// Sizes below 2 take no part: programs treat 0 and 1 as special cases. With fewer than kFewestSizes there is no fit.
// 2^n is a candidate where at least three sizes lie within 40 of the largest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "supervisor/api/run_result.h"

namespace tally {

// From slow to fast.
enum class GrowthModel : std::uint8_t { kOne, kLog, kN, kNLogN, kNSqrtN, kN2, kN2LogN, kN3, kExponential };
inline constexpr std::size_t kGrowthModels = 9;
inline constexpr std::size_t kFewestSizes = 4;
inline constexpr std::uint64_t kSmallestFitted = 2;
// A fit that is off by more than this says so.
inline constexpr double kGoodFit = 0.05;

std::string_view Name(GrowthModel model);  // "n log n"
// "n log n", "O(n log n)", "n*log(n)", "nlogn", "n^2", "n**2"; UserError begins with `key` and lists the models.
GrowthModel ParseGrowthModel(std::string_view key, std::string_view text);

struct GrowthPoint {
  std::uint64_t n = 0;
  std::uint64_t instructions = 0;
  std::uint64_t bytes = 0;  // read and printed; 0 where not known
};

struct GrowthTerm {
  std::string term;  // "1", "n", "n log n", "byte"; logarithms have base 2
  double coefficient = 0;
};

struct Growth {
  GrowthModel model = GrowthModel::kOne;
  std::vector<GrowthTerm> terms;  // of the fitted sum, rising; the last is the model's
  double error = 0;               // of the fit: 0.01 is 1 % of the growth part
  double doubling = 1;            // the growth part at twice the largest size, over that at it; for 2^n at one more
  std::size_t sizes = 0;          // how many were fitted
  [[nodiscard]] std::string Sentence() const;  // "n log n, doubling n costs 2.1 times"
  [[nodiscard]] std::string Sum() const;       // "101000 + 8.25 n log n"
};

// Absent with its reason: "not enough sizes: ...".
Measured<Growth> FitGrowth(const std::vector<GrowthPoint>& points);

}  // namespace tally
