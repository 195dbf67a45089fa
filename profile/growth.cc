#include "profile/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "profile/growth_evidence.h"

namespace tally {
namespace {

constexpr double kNamed = 30, kExcluded = 100;  // times as likely
constexpr double kSameCount = 0.02;             // counts that differ by less do not grow
constexpr double kFewInstructions = 1000;       // nor do these
constexpr double kDeviations = 2;               // of an interval
constexpr double kMostAdvised = 1e10;           // instructions: a larger size would take seconds
constexpr std::size_t kMostNamed = 3;
constexpr double kNoisy = 0.5;                  // of the error: more inputs would lessen it

std::string Count(double n) { return FormatCount(static_cast<std::uint64_t>(std::llround(n))); }

Growth Constant(long double least, long double most) {
  Growth growth;
  const long double middle = least + (most - least) / 2;
  growth.candidates = {GrowthModel::kOne};
  growth.terms = {{"1", static_cast<double>(middle)}};
  growth.error = static_cast<double>((most - least) / 2 / middle);
  return growth;
}

// How the growth part goes on beyond the largest size.
double Doubling(const GrowthHypothesis& growth, double largest) {
  if (growth.lead.model() == GrowthModel::kExponential) return 2;
  long double now = 0, then = 0;
  for (std::size_t i = 1; i < growth.terms.size(); ++i) {
    const GrowthFunction& function = growth.terms[i].function ? *growth.terms[i].function : growth.lead;
    now += growth.terms[i].part;
    then += growth.terms[i].part * function.Value(2 * largest) / function.Value(largest);
  }
  return now > 0 ? static_cast<double>(then / now) : 1;
}

// The lead last.
std::vector<GrowthTerm> TermsOf(const GrowthHypothesis& growth, const GrowthSeries& series) {
  std::vector<GrowthTerm> terms;
  for (const FittedTerm& term : growth.terms) {
    const long double whole = term.function ? term.function->Value(series.largest()) : series.sizes.back().bytes;
    terms.push_back({term.function ? term.function->name() : "byte", static_cast<double>(term.part / whole)});
  }
  if (terms.size() > 2) std::rotate(terms.begin() + 1, terms.begin() + 2, terms.end());
  return terms;
}

// What would tell more.
std::string Advice(const GrowthSeries& series, const GrowthHypothesis& growth) {
  const GrowthSize& last = series.sizes.back();
  const bool exponential = series.MayBeExponential();
  const double step = exponential ? last.n - series.sizes[series.sizes.size() - 2].n : last.n;
  const double next = last.n + step, after = exponential ? next + step : 2 * next;
  std::string out = fmt::format("add sizes {} and {}", Count(next), Count(after));
  const double times = exponential ? std::exp2(2 * step) : std::pow(4, growth.exponent);
  if (static_cast<double>(last.mean) * times > kMostAdvised) {
    out = fmt::format("add sizes between {} and {}", Count(series.sizes.front().n), Count(last.n));
  }
  const double noise = series.spread / std::sqrt(static_cast<double>(last.runs));
  if (noise > kNoisy * growth.error) out += fmt::format(", or more inputs of each (--seeds {})", 4 * last.runs);
  return out;
}

// "n and n log n"; of many, the ends.
std::string OneOf(const std::vector<GrowthModel>& models, std::string_view last) {
  if (models.size() > kMostNamed) return fmt::format("all from {} to {}", Name(models.front()), Name(models.back()));
  std::string out;
  for (std::size_t i = 0; i < models.size(); ++i) {
    out += fmt::format("{}{}", i == 0 ? "" : i + 1 == models.size() ? last : ", ", Name(models[i]));
  }
  return out;
}

// "exponent 1.9 to 2.1"; of functions that are no power nearly, none.
std::string Interval(double low, double high) {
  const int digits = high - low < 0.2 ? 2 : 1;
  const std::string from = fmt::format("{:.{}f}", low, digits), to = fmt::format("{:.{}f}", high, digits);
  return from == to ? "exponent " + from : fmt::format("exponent {} to {}", from, to);
}

}  // namespace

std::optional<GrowthModel> Growth::Named() const { return told ? likeliest.model() : std::nullopt; }

bool Growth::IsWorseThan(GrowthModel model) const {
  if (!told || likeliest.model()) return !candidates.empty() && candidates.front() > model;
  if (model == GrowthModel::kExponential) return likeliest.Exponent(1) > GrowthFunction(model).Exponent(1);
  return exponent_low > GrowthFunction(model).Exponent(static_cast<double>(largest));
}

std::string Growth::Name() const { return told ? likeliest.name() : OneOf(candidates, " or "); }

std::string Growth::Sentence() const {
  const auto model = likeliest.model();
  const std::string interval = Interval(exponent_low, exponent_high);
  std::string out;
  if (!told) {
    out = fmt::format("cannot tell {} apart up to n = {}, {}: {}", OneOf(candidates, " and "), FormatCount(largest), interval, advice);
  } else if (model == GrowthModel::kOne) {
    out = "1, doubling n costs no more";
  } else if (model == GrowthModel::kExponential) {
    out = "2^n, n + 1 costs twice as much as n";
  } else if (model) {
    out = fmt::format("{}, doubling n costs {:.1f} times, {}", tally::Name(*model), doubling, interval);
  } else {
    out = fmt::format("none of the known ones, about {}, doubling n costs {:.1f} times, {}", likeliest.name(), doubling, interval);
  }
  if (told && model && !advice.empty()) {
    std::vector<GrowthModel> others = candidates;
    std::erase(others, *model);
    out += fmt::format("; {} fit{} as well up to n = {}: {}", OneOf(others, " and "), others.size() == 1 ? "s" : "", FormatCount(largest), advice);
  }
  if (error > kGoodFit) out += fmt::format("; no model fits well, this is the nearest (off by {:.0f} %)", error * 100);
  return out;
}

std::string Growth::Sum() const {
  std::string out;
  for (const GrowthTerm& term : terms) {
    const double size = std::abs(term.coefficient);
    const bool negative = term.coefficient < 0;
    out += out.empty() ? (negative ? "-" : "") : negative ? " - " : " + ";
    out += size >= 1000 ? Count(size) : fmt::format("{:.3g}", size);
    if (term.term != "1") out += term.term == "byte" ? " for each byte" : " " + term.term;
  }
  return out;
}

Measured<Growth> FitGrowth(const std::vector<GrowthPoint>& points) {
  const GrowthSeries series = SeriesOfPoints(points, kSmallestFitted);
  if (series.sizes.size() < kFewestSizes) {
    return Measured<Growth>::Absent(fmt::format("not enough sizes: {} of {} or more {} counted, a fit needs {}", series.sizes.size(),
                                                kSmallestFitted, series.sizes.size() == 1 ? "was" : "were", kFewestSizes));
  }
  const auto [least, most] = std::minmax_element(series.sizes.begin(), series.sizes.end(), [](const auto& a, const auto& b) { return a.mean < b.mean; });
  Growth growth;
  if (most->mean - least->mean <= std::max(kSameCount * most->mean, static_cast<long double>(kFewInstructions))) {
    growth = Constant(least->mean, most->mean);
  } else {
    const std::vector<GrowthHypothesis> all = WeighGrowths(series);
    const auto of_list = [](const GrowthHypothesis& one) { return one.lead.model().has_value(); };
    const auto best = std::find_if(all.begin(), all.end(), of_list);
    const auto next = std::find_if(best + 1, all.end(), of_list);
    const bool none = best != all.begin() && all.front().log_evidence - best->log_evidence > std::log(kNamed);
    const GrowthHypothesis& likeliest = none ? all.front() : *best;
    growth.likeliest = likeliest.lead;
    const bool named = none || next == all.end() || best->log_evidence - next->log_evidence > std::log(kNamed);
    growth.terms = TermsOf(likeliest, series);
    growth.error = likeliest.error;
    growth.doubling = Doubling(likeliest, series.largest());
    growth.exponent_low = growth.exponent_high = likeliest.exponent;
    for (const GrowthHypothesis& one : all) {
      if (none ? &one != &likeliest : !of_list(one) || best->log_evidence - one.log_evidence > std::log(kExcluded)) continue;
      if (!none) growth.candidates.push_back(*one.lead.model());
      growth.exponent_low = std::max(0.0, std::min(growth.exponent_low, one.exponent - kDeviations * one.exponent_error));
      growth.exponent_high = std::max(growth.exponent_high, one.exponent + kDeviations * one.exponent_error);
    }
    std::sort(growth.candidates.begin(), growth.candidates.end());
    growth.told = named && (likeliest.error <= kGoodFit || growth.candidates.size() <= 1);
    if (growth.candidates.size() > 1) growth.advice = Advice(series, likeliest);
  }
  growth.sizes = series.sizes.size();
  growth.runs = series.runs();
  growth.largest = static_cast<std::uint64_t>(series.largest());
  return growth;
}

}  // namespace tally
