#include "profile/peak.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tally {
namespace {

using Function = std::function<long double(double)>;

// By steps, then by golden sections around the best.
double Highest(const Function& at, double from, double to) {
  constexpr int kSteps = 24, kSections = 28;
  constexpr double kGolden = std::numbers::phi - 1;
  const double step = (to - from) / kSteps;
  double best = from;
  long double most = -std::numeric_limits<long double>::infinity();
  for (int i = 0; i <= kSteps; ++i) {
    const long double here = at(from + i * step);
    if (here > most) most = here, best = from + i * step;
  }
  double low = std::max(from, best - step), high = std::min(to, best + step);
  double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
  long double at_left = at(left), at_right = at(right);
  for (int i = 0; i < kSections; ++i) {
    if (at_left > at_right) {
      high = right, right = left, at_right = at_left;
      at_left = at(left = high - kGolden * (high - low));
    } else {
      low = left, left = right, at_left = at_right;
      at_right = at(right = low + kGolden * (high - low));
    }
  }
  return (low + high) / 2;
}

// Newton's steps, with the width as the step of the differences; nothing where they do not settle.
std::optional<Peak> Climb(const Function& at, Peak peak, double from, double to) {
  constexpr int kMostSteps = 25;
  constexpr double kSettled = 0.02, kWidthSettled = 0.2;  // of the width
  for (int i = 0; i < kMostSteps; ++i) {
    const long double here = at(peak.at), above = at(peak.at + peak.width), below = at(peak.at - peak.width);
    const auto curve = static_cast<double>(2 * here - above - below);
    if (!std::isfinite(curve)) return std::nullopt;
    const double factor = curve > 0 ? std::clamp(1 / std::sqrt(curve), 0.05, 3.0) : 3.0;
    const double move = curve > 0 ? std::clamp(static_cast<double>(above - below) / (2 * curve), -1.0, 1.0) * peak.width : 0;
    peak.at += move;
    if (peak.at < from || peak.at > to || peak.width > (to - from) / 4) return std::nullopt;
    if (std::abs(move) < kSettled * peak.width && std::abs(factor - 1) < kWidthSettled) return Peak{peak.at, peak.width * factor};
    peak.width *= factor;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Peak> FindPeak(const Function& log_likelihood, double from, double to, const std::optional<Peak>& near) {
  if (near) {
    if (const auto peak = Climb(log_likelihood, *near, from, to)) return peak;
  }
  return Climb(log_likelihood, {Highest(log_likelihood, from, to), (to - from) / 1000}, from, to);
}

}  // namespace tally
