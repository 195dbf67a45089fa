#include "packages/scoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tally {
namespace {

double ShareOf(const TestGroup& group, const std::vector<TestOutcome>& outcomes) {
  if (group.tests.empty()) return 0;
  switch (group.rule) {
    case GroupRule::kLeast: {
      double least = outcomes[group.tests.front()].share;
      for (const std::size_t test : group.tests) least = std::min(least, outcomes[test].share);
      return least;
    }
    case GroupRule::kProduct: {
      double product = 1;
      for (const std::size_t test : group.tests) product *= outcomes[test].share;
      return product;
    }
    case GroupRule::kThreshold: {
      const bool has_all = std::all_of(group.tests.begin(), group.tests.end(), [&](std::size_t test) { return outcomes[test].share > 0 && outcomes[test].share <= group.threshold; });
      return has_all ? 1 : 0;
    }
    case GroupRule::kSum: break;
  }
  const double whole = group.test_points.empty() ? static_cast<double>(group.tests.size())
                                                 : std::accumulate(group.test_points.begin(), group.test_points.end(), 0.0);
  if (whole <= 0) return 0;
  double earned = 0;
  for (std::size_t i = 0; i < group.tests.size(); ++i) {
    earned += (group.test_points.empty() ? 1 : group.test_points[i]) * outcomes[group.tests[i]].share;
  }
  return earned / whole;
}

bool AllRight(const TestGroup& group, const std::vector<TestOutcome>& outcomes) {
  return std::all_of(group.tests.begin(), group.tests.end(), [&](std::size_t test) { return outcomes[test].right; });
}

}  // namespace

Score ScoreOf(const std::vector<TestGroup>& groups, const std::vector<TestOutcome>& outcomes) {
  Score score;
  for (const TestGroup& group : groups) {
    const bool may_earn = std::all_of(group.needs.begin(), group.needs.end(), [&](std::size_t need) { return AllRight(groups[need], outcomes); });
    score.groups.push_back(may_earn ? group.points * ShareOf(group, outcomes) : 0);
    score.points += score.groups.back();
    score.most += group.points;
  }
  return score;
}

double ShareAfterTime(double share, Nanoseconds time, Nanoseconds limit) {
  constexpr double kLeft = 0.01;  // at the limit
  if (limit.count() <= 0 || time <= limit / 2) return share;
  const double late = std::min(1.0, static_cast<double>((time - limit / 2).count()) / static_cast<double>((limit / 2).count()));
  return share * (1 - late * (1 - kLeft));
}

ShortCircuit::ShortCircuit(const std::vector<TestGroup>& groups, std::size_t tests, bool all)
    : groups_(groups), group_of_(tests, groups.size()), first_failure_(groups.size() + 1, tests), all_(all) {
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const std::size_t test : groups[group].tests) group_of_[test] = group;
  }
}

void ShortCircuit::Failed(std::size_t test) {
  const std::size_t own = group_of_[test];
  if (own < groups_.size()) first_failure_[own] = std::min(first_failure_[own], test);
  if (all_ || (own < groups_.size() && groups_[own].ends_all)) first_failure_.back() = std::min(first_failure_.back(), test);
}

std::optional<std::size_t> ShortCircuit::Because(std::size_t test) const {
  std::size_t first = std::min(first_failure_.back(), test);
  if (const std::size_t own = group_of_[test]; own < groups_.size() && groups_[own].stops) {
    first = std::min(first, first_failure_[own]);
    for (const std::size_t need : groups_[own].needs) first = std::min(first, first_failure_[need]);
  }
  if (first >= test) return std::nullopt;
  return first;
}

std::string FormatPoints(double points) {
  std::string text = fmt::format("{:.4f}", std::round(points * 1e4) / 1e4);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string CountOfPoints(double points) {
  const std::string text = FormatPoints(points);
  return text + (text == "1" ? " point" : " points");
}

}  // namespace tally
