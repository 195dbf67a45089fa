#include "profile/growth_series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "profile/least_squares.h"

namespace tally {
namespace {

constexpr double kConstantPart = 0.05;
constexpr double kNearForExponential = 20, kLargestExponential = 1000;
constexpr double kSteepestDecline = 1.5;
constexpr double kLongerNumbers = 1.05;  // times log n, what the bytes of a number may grow by

// The error of the fit by a constant, `lead`, and `lower` where there is one; none where a coefficient is not positive.
std::optional<std::pair<long double, long double>> RelativeFit(const GrowthSeries& series, GrowthModel lead, std::optional<GrowthModel> lower) {
  std::vector<Vector> columns(lower ? 3 : 2);
  for (const GrowthSize& size : series.sizes) {
    columns[0].push_back(1 / size.mean);
    columns[1].push_back(GrowthFunction(lead).Share(size.n, series.largest()) / size.mean);
    if (lower) columns[2].push_back(GrowthFunction(*lower).Share(size.n, series.largest()) / size.mean);
  }
  const auto fit = LeastSquares(columns, Vector(series.sizes.size(), 1));
  if (!fit || std::any_of(fit->coefficients.begin(), fit->coefficients.end(), [](long double c) { return !(c > 0); })) return std::nullopt;
  return std::pair{fit->squares / static_cast<long double>(series.sizes.size() - columns.size()), fit->coefficients[0]};
}

long double ConstantPart(const GrowthSeries& series) {
  long double least = std::numeric_limits<long double>::infinity(), constant = 0;
  const auto better = [&](GrowthModel lead, std::optional<GrowthModel> lower) {
    const auto fit = RelativeFit(series, lead, lower);
    if (fit && fit->first < least) std::tie(least, constant) = *fit;
  };
  for (std::size_t lead = 1; lead < kGrowthModels; ++lead) {
    const auto model = static_cast<GrowthModel>(lead);
    if (model == GrowthModel::kExponential && !series.MayBeExponential()) continue;
    better(model, std::nullopt);
    for (std::size_t lower = 1; lower < lead && series.sizes.size() > 4; ++lower) better(model, static_cast<GrowthModel>(lower));
  }
  return std::min(constant, series.sizes.front().mean);
}

struct Variation {
  long double square = 0, decline = 0, likelihood = -std::numeric_limits<long double>::infinity();
  [[nodiscard]] long double At(const GrowthSize& size, double largest) const {
    return square * std::pow(static_cast<long double>(size.n / largest), -decline) * size.scale * size.scale;
  }
};

// Sums of squares of normal deviations.
Variation WithDecline(const GrowthSeries& series, long double decline) {
  Variation variation{.square = 0, .decline = decline};
  long double freedom = 0;
  for (const GrowthSize& size : series.sizes) {
    if (size.runs < 2) continue;
    const auto own = static_cast<long double>(size.runs - 1);
    freedom += own;
    variation.square += own * size.variance / (size.scale * size.scale) * std::pow(static_cast<long double>(size.n / series.largest()), decline);
  }
  if (freedom == 0 || variation.square == 0) return {};
  variation.square /= freedom;
  variation.likelihood = 0;
  for (const GrowthSize& size : series.sizes) {
    if (size.runs < 2) continue;
    const long double expected = variation.At(size, series.largest());
    variation.likelihood -= static_cast<long double>(size.runs - 1) / 2 * (std::log(expected) + size.variance / expected);
  }
  return variation;
}

void EstimateNoise(GrowthSeries* series) {
  Variation best;
  for (double decline = 0; decline <= kSteepestDecline; decline += 0.25) {
    const Variation variation = WithDecline(*series, decline);
    if (variation.likelihood > best.likelihood) best = variation;
  }
  series->spread = static_cast<double>(std::sqrt(best.square));
  for (GrowthSize& size : series->sizes) size.noise = best.At(size, series->largest()) / static_cast<long double>(size.runs);
}

}  // namespace

std::size_t GrowthSeries::runs() const {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}, [](std::size_t sum, const GrowthSize& size) { return sum + size.runs; });
}

bool GrowthSeries::MayBeExponential() const {
  return sizes.size() >= 3 && largest() <= kLargestExponential && largest() - sizes[sizes.size() - 3].n <= kNearForExponential;
}

bool GrowthSeries::BytesGoWith(const GrowthFunction& function) const {
  const GrowthSize &first = sizes.front(), &last = sizes.back();
  if (!(first.bytes > 0)) return false;
  return last.bytes / first.bytes * function.Share(first.n, last.n) <= std::log2(last.n) / std::log2(first.n) * kLongerNumbers;
}

GrowthSeries SeriesOfPoints(const std::vector<GrowthPoint>& points, std::uint64_t smallest) {
  std::map<std::uint64_t, std::vector<const GrowthPoint*>> by_size;
  for (const GrowthPoint& point : points) {
    if (point.n >= smallest && point.instructions > 0) by_size[point.n].push_back(&point);
  }
  GrowthSeries series;
  for (const auto& [n, runs] : by_size) {
    GrowthSize size{.n = static_cast<double>(n), .runs = runs.size()};
    const auto count = static_cast<long double>(runs.size());
    for (const GrowthPoint* run : runs) {
      size.mean += static_cast<long double>(run->instructions) / count;
      size.bytes += static_cast<long double>(run->bytes) / count;
    }
    for (const GrowthPoint* run : runs) {
      const long double off = static_cast<long double>(run->instructions) - size.mean;
      if (runs.size() > 1) size.variance += off * off / (count - 1);
    }
    series.sizes.push_back(size);
  }
  if (series.sizes.size() < 3) return series;
  const long double constant = ConstantPart(series);
  for (GrowthSize& size : series.sizes) size.scale = size.mean - constant + kConstantPart * size.mean;
  EstimateNoise(&series);
  return series;
}

}  // namespace tally
