#include "profile/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/error.h"
#include "base/units.h"
#include "profile/least_squares.h"

namespace tally {
namespace {

constexpr double kPerfect = 0.002;         // a residual that no model needs to explain
constexpr double kBelief = 3;              // how much better a faster model must be
constexpr double kBytesWeight = 2;         // bytes explain digits exactly, or something else by chance
constexpr double kLeastShare = 0.1;        // of the growth part at the largest size, for a leading term
constexpr double kSameCount = 0.02;        // counts that differ by less do not grow
constexpr double kFewInstructions = 1000;  // nor do these
constexpr double kConstantPart = 0.05;
constexpr double kNearForExponential = 40;
constexpr std::size_t kMostTerms = 4;

constexpr std::array<std::string_view, kGrowthModels> kNames = {
    "1", "log n", "n", "n log n", "n sqrt n", "n^2", "n^2 log n", "n^3", "2^n"};

double Value(GrowthModel model, double n) {
  const double log = std::log2(n);
  switch (model) {
    case GrowthModel::kOne: return 1;
    case GrowthModel::kLog: return log;
    case GrowthModel::kN: return n;
    case GrowthModel::kNLogN: return n * log;
    case GrowthModel::kNSqrtN: return n * std::sqrt(n);
    case GrowthModel::kN2: return n * n;
    case GrowthModel::kN2LogN: return n * n * log;
    case GrowthModel::kN3: return n * n * n;
    case GrowthModel::kExponential: return std::exp2(n);
  }
  return 0;
}

// f(n) / f(largest), without an overflow on the way.
double Share(GrowthModel model, double n, double largest) {
  if (model == GrowthModel::kExponential) return std::exp2(n - largest);
  return Value(model, n) / Value(model, largest);
}

// One column of the least squares: a function at each size, relative to its value at the largest.
struct Column {
  std::string term;
  std::vector<double> values;
  double scale = 1;  // that value
};

struct Fit {
  std::vector<std::size_t> columns;   // into the columns given
  std::vector<double> coefficients;  // of the scaled columns
  double error = std::numeric_limits<double>::infinity();
  double weighed = std::numeric_limits<double>::infinity();  // for the choice
};

// All fits to one series, for one choice of what residuals are relative to.
class Fitter {
 public:
  Fitter(const std::vector<GrowthPoint>& points, std::vector<double> scale)
      : points_(points), scale_(std::move(scale)), largest_(static_cast<double>(points.back().n)) {
    for (std::size_t i = 0; i < kGrowthModels; ++i) {
      const auto model = static_cast<GrowthModel>(i);
      Column column{std::string(kNames[i]), {}, Value(model, largest_)};
      for (const GrowthPoint& point : points) column.values.push_back(Share(model, static_cast<double>(point.n), largest_));
      columns_.push_back(std::move(column));
    }
    Column bytes{"byte", {}, static_cast<double>(points.back().bytes)};
    for (const GrowthPoint& point : points) bytes.values.push_back(static_cast<double>(point.bytes) / bytes.scale);
    columns_.push_back(std::move(bytes));
  }

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }

  // The best fit whose leading term is the model's.
  [[nodiscard]] Fit Best(GrowthModel model) const {
    Fit best;
    if (!IsCandidate(model)) return best;
    const auto lead = static_cast<std::size_t>(model);
    for (std::size_t lower = 0; lower < lead || lower == 0; ++lower) {  // 0: no lower term
      for (const bool constant : {false, true}) {
        for (const bool bytes : {false, true}) {
          if (lead == 0 && (constant || bytes)) continue;
          if (bytes && !BytesGoWith(model)) continue;
          std::vector<std::size_t> chosen;
          if (constant) chosen.push_back(0);
          if (lower > 0) chosen.push_back(lower);
          if (bytes) chosen.push_back(kGrowthModels);
          chosen.push_back(lead);
          Try(chosen, &best);
        }
      }
    }
    return best;
  }

 private:
  [[nodiscard]] bool IsCandidate(GrowthModel model) const {
    if (model != GrowthModel::kExponential) return true;
    const auto near = std::count_if(points_.begin(), points_.end(), [this](const GrowthPoint& point) {
      return largest_ - static_cast<double>(point.n) <= kNearForExponential;
    });
    return near >= 3 && std::isfinite(Value(model, largest_));
  }

  // Numbers get longer as n grows, by no more than log n does.
  [[nodiscard]] bool BytesGoWith(GrowthModel model) const {
    if (points_.front().bytes == 0) return false;
    const auto first = static_cast<double>(points_.front().n);
    const double bytes = static_cast<double>(points_.back().bytes) / static_cast<double>(points_.front().bytes);
    const double digits = std::log2(largest_) / std::log2(first);
    return bytes * Share(model, first, largest_) <= digits * 1.05;
  }

  // Is the last term seen at all? The others' shares are all of the growth part.
  static bool Leads(const std::vector<std::size_t>& chosen, const std::vector<double>& coefficients) {
    double all = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i] != 0) all += coefficients[i];
    }
    return chosen.size() == 1 || coefficients.back() >= kLeastShare * all;
  }

  void Try(const std::vector<std::size_t>& chosen, Fit* best) const {
    const std::size_t sizes = points_.size();
    // With few sizes, two are left over where that can be.
    if (chosen.size() > std::min(kMostTerms, std::max<std::size_t>(sizes - 2, 3))) return;
    std::vector<Vector> columns;
    Vector counts;
    for (std::size_t i = 0; i < sizes; ++i) {
      counts.push_back(static_cast<long double>(points_[i].instructions) / static_cast<long double>(scale_[i]));
    }
    for (const std::size_t column : chosen) {
      Vector values;
      for (std::size_t i = 0; i < sizes; ++i) {
        values.push_back(static_cast<long double>(columns_[column].values[i]) / static_cast<long double>(scale_[i]));
      }
      columns.push_back(std::move(values));
    }
    const auto coefficients = LeastSquares(columns, counts);
    if (!coefficients) return;
    for (const double coefficient : *coefficients) {
      if (!(coefficient > 0)) return;
    }
    if (!Leads(chosen, *coefficients)) return;
    long double squares = 0;
    for (std::size_t i = 0; i < sizes; ++i) {
      long double residual = counts[i];
      for (std::size_t j = 0; j < columns.size(); ++j) residual -= columns[j][i] * static_cast<long double>((*coefficients)[j]);
      squares += residual * residual;
    }
    const double error = std::sqrt(static_cast<double>(squares / static_cast<long double>(sizes - chosen.size())));
    const bool by_bytes = std::find(chosen.begin(), chosen.end(), kGrowthModels) != chosen.end();
    const double weighed = by_bytes ? kBytesWeight * error : error;
    if (weighed < best->weighed) *best = {chosen, *coefficients, error, weighed};
  }

  const std::vector<GrowthPoint>& points_;
  std::vector<double> scale_;
  double largest_;
  std::vector<Column> columns_;  // the models in order, then bytes
};

// The constant of the best fit of all.
double ConstantPart(const std::vector<GrowthPoint>& points) {
  std::vector<double> scale;
  for (const GrowthPoint& point : points) scale.push_back(static_cast<double>(point.instructions));
  const Fitter fitter(points, scale);
  Fit best;
  for (std::size_t i = 0; i < kGrowthModels; ++i) {
    Fit fit = fitter.Best(static_cast<GrowthModel>(i));
    if (fit.weighed < best.weighed) best = std::move(fit);
  }
  return !best.columns.empty() && best.columns.front() == 0 ? best.coefficients.front() : 0;
}

std::vector<GrowthPoint> FittedPoints(std::vector<GrowthPoint> points) {
  std::erase_if(points, [](const GrowthPoint& point) { return point.n < 2 || point.instructions == 0; });
  std::sort(points.begin(), points.end(), [](const GrowthPoint& a, const GrowthPoint& b) { return a.n < b.n; });
  points.erase(std::unique(points.begin(), points.end(),
                           [](const GrowthPoint& a, const GrowthPoint& b) { return a.n == b.n; }),
               points.end());
  return points;
}

Growth Constant(const std::vector<GrowthPoint>& points, std::uint64_t least, std::uint64_t most) {
  const double middle = static_cast<double>(least + (most - least) / 2);
  return {GrowthModel::kOne, {{"1", middle}}, static_cast<double>(most - least) / 2 / middle, 1, points.size()};
}

// How the growth part goes on beyond the largest size.
double Doubling(GrowthModel model, const Fit& fit, double largest) {
  if (model == GrowthModel::kExponential) return 2;
  double now = 0, then = 0;
  for (std::size_t i = 0; i < fit.columns.size(); ++i) {
    if (fit.columns[i] == 0) continue;
    const bool bytes = fit.columns[i] == kGrowthModels;
    const auto term = bytes ? model : static_cast<GrowthModel>(fit.columns[i]);
    now += fit.coefficients[i];
    then += fit.coefficients[i] * Value(term, 2 * largest) / Value(term, largest);
  }
  return now > 0 ? then / now : 1;
}

}  // namespace

std::string_view Name(GrowthModel model) { return kNames[static_cast<std::size_t>(model)]; }

GrowthModel ParseGrowthModel(std::string_view key, std::string_view text) {
  std::string word;
  std::copy_if(text.begin(), text.end(), std::back_inserter(word), [](char c) { return c != ' ' && c != '(' && c != ')'; });
  if (word.starts_with('O')) word.erase(0, 1);
  for (std::size_t at; (at = word.find("**")) != std::string::npos;) word.replace(at, 2, "^");
  std::erase(word, '*');
  std::string known;
  for (std::size_t i = 0; i < kGrowthModels; ++i) {
    std::string name(kNames[i]);
    known += (known.empty() ? "" : ", ") + name;
    std::erase(name, ' ');
    if (word == name) return static_cast<GrowthModel>(i);
  }
  throw UserError(fmt::format("{}: \"{}\" is no growth that is known; expected one of: {}", key, text, known));
}

std::string Growth::Sentence() const {
  std::string out;
  if (model == GrowthModel::kOne) {
    out = "1, doubling n costs no more";
  } else if (model == GrowthModel::kExponential) {
    out = "2^n, n + 1 costs twice as much as n";
  } else {
    out = fmt::format("{}, doubling n costs {:.1f} times", Name(model), doubling);
  }
  if (error > kGoodFit) out += fmt::format("; no model fits well, this is the nearest (off by {:.0f} %)", error * 100);
  return out;
}

std::string Growth::Sum() const {
  std::string out;
  for (const GrowthTerm& term : terms) {
    out += out.empty() ? "" : " + ";
    out += term.coefficient >= 1000 ? FormatCount(static_cast<std::uint64_t>(std::llround(term.coefficient)))
                                    : fmt::format("{:.3g}", term.coefficient);
    if (term.term != "1") out += term.term == "byte" ? " for each byte" : " " + term.term;
  }
  return out;
}

Measured<Growth> FitGrowth(const std::vector<GrowthPoint>& all) {
  const std::vector<GrowthPoint> points = FittedPoints(all);
  if (points.size() < kFewestSizes) {
    return Measured<Growth>::Absent(fmt::format("not enough sizes: {} of 2 or more {} counted, a fit needs {}",
                                                points.size(), points.size() == 1 ? "was" : "were", kFewestSizes));
  }
  std::uint64_t least = points.front().instructions, most = least;
  for (const GrowthPoint& point : points) {
    least = std::min(least, point.instructions);
    most = std::max(most, point.instructions);
  }
  if (static_cast<double>(most - least) <= std::max(kSameCount * static_cast<double>(most), kFewInstructions)) {
    return Constant(points, least, most);
  }

  const double constant = ConstantPart(points);
  std::vector<double> scale;
  for (const GrowthPoint& point : points) {
    const auto count = static_cast<double>(point.instructions);
    scale.push_back(std::max(count - constant, 0.0) + kConstantPart * count);
  }
  const Fitter fitter(points, scale);
  std::array<Fit, kGrowthModels> fits;
  double least_error = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < kGrowthModels; ++i) {
    fits[i] = fitter.Best(static_cast<GrowthModel>(i));
    least_error = std::min(least_error, fits[i].weighed);
  }
  const double good_enough = std::max(kPerfect, std::min(kBelief * least_error, std::max(kGoodFit, least_error)));
  std::size_t chosen = 0;
  while (!(fits[chosen].weighed <= good_enough)) ++chosen;

  Growth growth{static_cast<GrowthModel>(chosen), {}, fits[chosen].error, 1, points.size()};
  for (std::size_t i = 0; i < fits[chosen].columns.size(); ++i) {
    const Column& column = fitter.columns()[fits[chosen].columns[i]];
    growth.terms.push_back({column.term, fits[chosen].coefficients[i] / column.scale});
  }
  growth.doubling = Doubling(growth.model, fits[chosen], static_cast<double>(points.back().n));
  return growth;
}

}  // namespace tally
