// The growth of a program: which function of n its instruction counts follow, and what cannot be told apart from it.
//
// The counts are exact, but inputs of one size differ, and no program is its model to the last instruction. So growths
// are weighed (profile/growth_evidence.h), and what is said depends on how far they are apart:
//   the likeliest of the list is *named* where it is 30 times as likely as any other; else it cannot be told;
//   what is less than 100 times as unlikely is not excluded, and is said to fit as well;
//   where n^p or b^n is 30 times as likely as all of the list, none of it fits, and that function is named.
// An expectation is missed only where every growth that meets it is excluded.
//
// Counts that differ by at most 2 %, or by 1,000 instructions (a number with more digits to read), are called 1. Sizes
// below 2 take no part: programs treat 0 and 1 as special cases. With fewer than kFewestSizes there is no fit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/growth_model.h"
#include "profile/growth_series.h"
#include "supervisor/api/run_result.h"

namespace tally {

inline constexpr std::size_t kFewestSizes = 4;
inline constexpr std::uint64_t kSmallestFitted = 2;
// A fit that is off by more than this says so.
inline constexpr double kGoodFit = 0.05;

struct GrowthTerm {
  std::string term;  // "1", "n", "n log n", "byte"; logarithms have base 2
  double coefficient = 0;
};

struct Growth {
  GrowthFunction likeliest = GrowthModel::kOne;
  bool told = true;                     // the likeliest is named, be it of the list or not
  std::vector<GrowthModel> candidates;  // of the list and not excluded, from slow to fast
  std::vector<GrowthTerm> terms;        // of the likeliest one's sum: the constant, lower terms, its own
  double error = 0;                     // of that sum: 0.01 is 1 % of the growth part
  double doubling = 1;                  // the growth part at twice the largest size, over that at it; for 2^n at one more
  double exponent_low = 0, exponent_high = 0;  // of the power of n that grows alike at the largest size; candidates' all
  std::size_t sizes = 0, runs = 0;      // how many were fitted
  std::uint64_t largest = 0;
  std::string advice;                   // "add sizes 1,600 and 3,200"; "" where nothing else fits

  // None where it cannot be told, or is none of the list.
  [[nodiscard]] std::optional<GrowthModel> Named() const;
  // Is no growth left that is at most `model`?
  [[nodiscard]] bool IsWorseThan(GrowthModel model) const;
  [[nodiscard]] std::string Name() const;      // "n log n"; "n or n log n" where that cannot be told
  [[nodiscard]] std::string Sentence() const;  // "n log n, doubling n costs 2.1 times"
  [[nodiscard]] std::string Sum() const;       // "101000 + 8.25 n log n"
};

// Absent with its reason: "not enough sizes: ...". Points of one size are of several inputs.
Measured<Growth> FitGrowth(const std::vector<GrowthPoint>& points);

}  // namespace tally
