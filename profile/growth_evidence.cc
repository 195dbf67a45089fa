#include "profile/growth_evidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "profile/covariance.h"
#include "profile/peak.h"

namespace tally {
namespace {

using Real = long double;

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
constexpr Real kLeastMisfit = 3e-6L, kMostMisfit = 0.2L, kMostShared = 0.05L, kMisfitPreference = 0.15L;
constexpr int kMisfits = 16;
constexpr Real kSharedOver = 4, kNotShared = 1e-4L;  // doublings; the part of a shared variance that is a size's own
constexpr Real kLeastLead = 0.02L, kNegativeLower = 0.3L;
constexpr Real kLinearLower = 0.45L, kNoLower = 0.3L, kNoLowerOfSlow = 0.5L, kDrift = 0.1L;
constexpr Real kBelieved = 0.4L;  // the deviation, of the width
constexpr Real kRare = 0.5L, kWithBytes = 0.2L, kOther = 0.02L;
constexpr double kLeastPower = 0.1, kMostPower = 4, kLeastBase = 1.05, kMostBase = 8;

Real LogSum(Real a, Real b) {
  if (a < b) std::swap(a, b);
  return b == -kInfinity ? a : a + std::log1p(std::exp(b - a));
}

// Of the normal distribution below z.
Real LogBelow(Real z) {
  if (z > -30) return std::log(std::erfc(-z / std::numbers::sqrt2_v<Real>) / 2);
  return -z * z / 2 - std::log(-z) - std::log(2 * std::numbers::pi_v<Real>) / 2;
}

struct Lower {
  std::optional<GrowthFunction> function;  // none: there is no lower term
  Real probability = 1, least = 0;         // of the term, and of its coefficient
  Vector column = {};
};

bool IsPower(GrowthModel model) {
  return model == GrowthModel::kN || model == GrowthModel::kNSqrtN || model == GrowthModel::kN2 || model == GrowthModel::kN3;
}

// What may stand below a lead.
std::vector<Lower> LowersOf(GrowthModel lead) {
  const auto slower = static_cast<std::size_t>(lead) - 1;
  if (slower == 0) return {{}};
  const bool linear = lead > GrowthModel::kN;
  const Real drift = IsPower(lead) ? kDrift : 0, none = (1 - drift) * (linear ? kNoLower : kNoLowerOfSlow);
  const Real any = linear ? (1 - drift) * (1 - kNoLower - kLinearLower) / static_cast<Real>(slower - 1) : (1 - drift - none) / static_cast<Real>(slower);
  std::vector<Lower> lowers{{std::nullopt, none}};
  for (std::size_t i = 1; i <= slower; ++i) {
    const auto model = static_cast<GrowthModel>(i);
    lowers.push_back({model, model == GrowthModel::kN ? (1 - drift) * kLinearLower : any, -kNegativeLower});
  }
  if (IsPower(lead)) lowers.push_back({GrowthFunction::Slowed(lead), drift, -1});
  return lowers;
}

bool IsRare(GrowthModel model) { return model == GrowthModel::kSqrt || model == GrowthModel::kNSqrtN || model == GrowthModel::kN2LogN; }

// Functions of one parameter, evenly in an interval. The peaks are those found last: they hardly move with the covariance.
struct Family {
  GrowthFunction (*function)(double);
  double from, to;
  std::array<std::optional<Peak>, 2> peaks = {};
};

// All growths under one covariance of what is left over.
class Weighing {
 public:
  Weighing(const GrowthSeries& series, Covariance covariance, Real log_probability)
      : series_(series), covariance_(std::move(covariance)), log_probability_(log_probability) {
    Vector means, constants, bytes;
    for (const GrowthSize& size : series.sizes) {
      means.push_back(size.mean);
      constants.push_back(series.sizes.front().mean);
      bytes.push_back(series.sizes.back().bytes > 0 ? size.bytes / series.sizes.back().bytes * unit() : 0);
    }
    means_ = covariance_.Whiten(means);
    constants_ = covariance_.Whiten(constants);
    bytes_ = covariance_.Whiten(bytes);
    for (std::size_t i = 0; i < kGrowthModels; ++i) models_.push_back(Column(static_cast<GrowthModel>(i)));
    for (std::size_t i = 1; i < kGrowthModels; ++i) {
      lowers_[i] = LowersOf(static_cast<GrowthModel>(i));
      for (Lower& lower : lowers_[i]) lower.column = lower.function ? Column(*lower.function) : Vector();
    }
  }

  // Adds to the model's evidence.
  void Add(GrowthModel model, GrowthHypothesis* to) const {
    if (model == GrowthModel::kOne) return AddSum({{GrowthFunction(model), 0}}, {constants_}, 0, 0, to);
    const auto lead = static_cast<std::size_t>(model);
    const bool may_have_bytes = series_.BytesGoWith(model);
    for (const Lower& lower : lowers_[lead]) {
      for (const bool with_bytes : {false, true}) {
        if (with_bytes && !may_have_bytes) continue;
        std::vector<FittedTerm> terms{{GrowthFunction(GrowthModel::kOne), 0}, {GrowthFunction(model), 0}};
        std::vector<Vector> columns{constants_, models_[lead]};
        if (lower.function) terms.push_back({lower.function, 0}), columns.push_back(lower.column);
        if (with_bytes) terms.push_back({std::nullopt, 0}), columns.push_back(bytes_);
        const Real bytes = may_have_bytes ? std::log(with_bytes ? kWithBytes : 1 - kWithBytes) : 0;
        AddSum(terms, columns, (IsRare(model) ? std::log(kRare) : 0) + std::log(lower.probability) + bytes, lower.least, to);
      }
    }
  }

  // Adds to the evidence for a family's functions, with or without a linear part.
  void Add(Family* family, GrowthHypothesis* to) const {
    for (const bool linear : {false, true}) {
      const auto sum = [&](double parameter) {
        std::vector<Vector> columns{constants_, Column(family->function(parameter))};
        if (linear) columns.push_back(models_[static_cast<std::size_t>(GrowthModel::kN)]);
        return columns;
      };
      const auto log_evidence = [&](double parameter) { return LogEvidence(Fitted(sum(parameter), 0), 0); };
      std::optional<Peak>& peak = family->peaks[linear ? 1 : 0];
      peak = FindPeak(log_evidence, family->from, family->to, peak);
      if (!peak) continue;
      std::vector<FittedTerm> terms{{GrowthFunction(GrowthModel::kOne), 0}, {family->function(peak->at), 0}};
      if (linear) terms.push_back({GrowthFunction(GrowthModel::kN), 0});
      const Real volume = std::log(peak->width * std::sqrt(2 * std::numbers::pi_v<Real>) / (family->to - family->from));
      AddSum(terms, sum(peak->at), std::log(kOther / 2) + volume, 0, to, peak->width);
    }
  }

 private:
  // What a coefficient of 1 makes at the largest size.
  [[nodiscard]] Real unit() const { return series_.sizes.back().scale; }

  [[nodiscard]] Vector Column(const GrowthFunction& function) const {
    Vector values;
    for (const GrowthSize& size : series_.sizes) values.push_back(function.Share(size.n, series_.largest()) * unit());
    return covariance_.Whiten(values);
  }

  // The least that a coefficient may be: of the constant, the lead, what is below it.
  static Real Least(std::size_t i, Real least_lower) { return i == 1 ? kLeastLead : i == 2 ? least_lower : 0; }
  // What is believed of it beforehand, in [least, 1] or so.
  static Real Middle(Real least) { return (1 + least) / 2; }
  static Real Deviation(Real least) { return kBelieved * (1 - least); }

  // That belief stands below the counts, as rows of its own: so columns that are nearly the same share one coefficient.
  [[nodiscard]] std::optional<LeastSquaresFit> Fitted(std::vector<Vector> columns, Real least_lower) const {
    Vector counts = means_;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Real least = Least(i, least_lower);
      for (std::size_t j = 0; j < columns.size(); ++j) columns[j].push_back(i == j ? 1 / Deviation(least) : 0);
      counts.push_back(Middle(least) / Deviation(least));
    }
    return LeastSquares(std::move(columns), std::move(counts));
  }

  // With the coefficients averaged out.
  [[nodiscard]] Real LogEvidence(const std::optional<LeastSquaresFit>& fit, Real least_lower) const {
    if (!fit) return -kInfinity;
    const auto sizes = static_cast<Real>(series_.sizes.size());
    Real log = -(sizes * std::log(2 * std::numbers::pi_v<Real>) + fit->squares + covariance_.log_determinant() + fit->log_determinant) / 2;
    for (std::size_t i = 0; i < fit->coefficients.size(); ++i) {
      const Real least = Least(i, least_lower);
      log -= std::log(Deviation(least)) + LogBelow((Middle(least) - least) / Deviation(least));
      log += LogBelow((fit->coefficients[i] - least) / fit->Deviation(i));
    }
    return log;
  }

  void AddSum(std::vector<FittedTerm> terms, const std::vector<Vector>& columns, Real log_probability, Real least_lower, GrowthHypothesis* to,
              Real width = 0) const {
    const auto fit = Fitted(columns, least_lower);
    const Real log = log_probability_ + log_probability + LogEvidence(fit, least_lower);
    if (!(log > -kInfinity)) return;
    to->log_evidence = LogSum(to->log_evidence, log);
    if (log <= to->log_likeliest) return;
    to->log_likeliest = log;
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i].part = fit->coefficients[i] * (i == 0 ? series_.sizes.front().mean : unit());
    if (terms.size() > 1) to->lead = *terms[1].function;
    to->terms = std::move(terms);
    to->error = ErrorOf(to->terms);
    SetExponent(*fit, width, to);
  }

  [[nodiscard]] double ErrorOf(const std::vector<FittedTerm>& terms) const {
    Real squares = 0;
    for (const GrowthSize& size : series_.sizes) {
      Real rest = size.mean;
      for (const FittedTerm& term : terms) {
        rest -= term.part * (term.function ? term.function->Share(size.n, series_.largest()) : size.bytes / series_.sizes.back().bytes);
      }
      squares += rest / size.scale * (rest / size.scale);
    }
    const std::size_t freedom = std::max<std::size_t>(1, series_.sizes.size() - std::min(series_.sizes.size(), terms.size()));
    return static_cast<double>(std::sqrt(squares / static_cast<Real>(freedom)));
  }

  void SetExponent(const LeastSquaresFit& fit, Real width, GrowthHypothesis* to) const {
    Real all = 0;
    Vector weights(to->terms.size(), 0);
    to->exponent = 0;
    for (std::size_t i = 1; i < to->terms.size(); ++i) {
      weights[i] = ExponentOf(to->terms[i]);
      all += fit.coefficients[i];
      to->exponent += static_cast<double>(weights[i] * fit.coefficients[i]);
    }
    to->exponent_error = 0;
    if (to->terms.size() < 2) return;
    to->exponent /= static_cast<double>(all);
    for (std::size_t i = 1; i < weights.size(); ++i) weights[i] = (weights[i] - static_cast<Real>(to->exponent)) / all;
    to->exponent_error = static_cast<double>(std::hypot(fit.Deviation(weights), width));
  }

  [[nodiscard]] Real ExponentOf(const FittedTerm& term) const {
    if (term.function) return term.function->Exponent(series_.largest());
    const GrowthSize &before = series_.sizes[series_.sizes.size() - 2], &last = series_.sizes.back();
    return std::log(last.bytes / before.bytes) / std::log(static_cast<Real>(last.n / before.n));
  }

  const GrowthSeries& series_;
  Covariance covariance_;
  Real log_probability_;
  Vector means_, constants_, bytes_;
  std::vector<Vector> models_;
  std::array<std::vector<Lower>, kGrowthModels> lowers_;
};

Covariance CovarianceOf(const GrowthSeries& series, Real misfit, bool shared) {
  const std::size_t sizes = series.sizes.size();
  std::vector<Vector> matrix(sizes, Vector(sizes, 0));
  for (std::size_t i = 0; i < sizes; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const GrowthSize &one = series.sizes[i], &other = series.sizes[j];
      Real together = i == j ? 1 + (shared ? kNotShared : 0) : 0;
      if (shared && i != j) together = std::exp(-std::abs(std::log2(static_cast<Real>(one.n / other.n))) / kSharedOver);
      matrix[i][j] = misfit * misfit * together * one.scale * other.scale;
    }
    matrix[i][i] += series.sizes[i].noise + 1;  // a count is whole
  }
  return Covariance(std::move(matrix));
}

}  // namespace

std::vector<GrowthHypothesis> WeighGrowths(const GrowthSeries& series) {
  std::array<Real, kMisfits> misfits{}, preferences{};
  Real all = 0;
  for (int i = 0; i < kMisfits; ++i) {
    misfits[i] = kLeastMisfit * std::pow(kMostMisfit / kLeastMisfit, static_cast<Real>(i) / (kMisfits - 1));
    preferences[i] = std::pow(misfits[i], kMisfitPreference);
    all += 2 * preferences[i];
  }
  std::vector<GrowthHypothesis> growths(kGrowthModels + 1);
  for (std::size_t i = 0; i < kGrowthModels; ++i) growths[i].lead = static_cast<GrowthModel>(i);
  Family powers{GrowthFunction::Power, kLeastPower, kMostPower}, exponentials{GrowthFunction::Exponential, kLeastBase, kMostBase};
  for (int i = kMisfits; i-- > 0;) {
    for (const bool shared : {false, true}) {
      if (shared && misfits[i] > kMostShared) continue;
      const Weighing weighing(series, CovarianceOf(series, misfits[i], shared), std::log(preferences[i] / all));
      for (std::size_t model = 0; model < kGrowthModels; ++model) {
        if (static_cast<GrowthModel>(model) == GrowthModel::kExponential && !series.MayBeExponential()) continue;
        weighing.Add(static_cast<GrowthModel>(model), &growths[model]);
      }
      weighing.Add(&powers, &growths.back());
      if (series.MayBeExponential()) weighing.Add(&exponentials, &growths.back());
    }
  }
  std::erase_if(growths, [](const GrowthHypothesis& growth) { return growth.terms.empty(); });
  std::stable_sort(growths.begin(), growths.end(), [](const auto& a, const auto& b) { return a.log_evidence > b.log_evidence; });
  return growths;
}

}  // namespace tally
