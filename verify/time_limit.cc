#include "verify/time_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <optional>
#include <set>

#include "profile/growth.h"

namespace tally {
namespace {

using enum ResultCode;

// Margins that a limit should keep: slower machines and languages on one side, luck on the other.
constexpr double kAboveRight = 2.0, kBelowSlow = 1.25;

// A submission's most expensive test of some.
struct Cost {
  std::string submission, test;
  Instructions instructions;
  bool is_least = false;  // it was stopped: at least that many
};

bool WasRun(const TestReport& test) { return test.not_run.empty(); }

bool IsRight(const Submission& submission, const SolutionReport& judged) {
  if (submission.expected && submission.expected->permitted == std::vector{kOk}) return true;
  return judged.not_judged.empty() && judged.Worst() == kOk && !judged.tests.empty();
}

bool IsTooSlow(const Submission& submission, const SolutionReport& judged) {
  return !IsRight(submission, judged) && std::any_of(judged.tests.begin(), judged.tests.end(), [](const TestReport& test) { return WasRun(test) && test.code == kTle; });
}

double Seconds(Instructions count) { return static_cast<double>(count.count) / (static_cast<double>(kInstructionsPerMillisecond) * 1e3); }
std::string Written(Instructions count) { return FormatDuration(Nanoseconds(static_cast<std::int64_t>(Seconds(count) * 1e9))); }
std::string Times(double factor) { return fmt::format("{:.3g} times", factor); }

std::optional<Cost> CostOf(const Submission& submission, const SolutionReport& counted, const std::vector<std::size_t>& tests) {
  std::optional<Cost> most;
  for (const std::size_t index : tests) {
    if (index >= counted.tests.size()) break;
    const TestReport& test = counted.tests[index];
    // What failed in another way says nothing about time.
    if (!WasRun(test) || !test.instructions || (test.code != kOk && test.code != kTle)) continue;
    if (most && most->instructions.count >= *test.instructions) continue;
    most = Cost{submission.name, test.test, Instructions{*test.instructions}, test.code == kTle};
  }
  return most;
}

std::string Described(const Cost& cost) {
  return fmt::format("{}, test {}: {}{}", cost.submission, cost.test, cost.is_least ? "more than " : "", Written(cost.instructions));
}

struct CostRange {
  std::optional<Cost> slowest_right, fastest_slow;
};

CostRange CostRangeOf(const Package& package, const JudgedTwice& reports, const std::vector<std::size_t>& tests) {
  CostRange range;
  for (std::size_t i = 0; i < package.submissions.size(); ++i) {
    const std::optional<Cost> cost = CostOf(package.submissions[i], reports.counted[i], tests);
    if (!cost) continue;
    if (IsRight(package.submissions[i], reports.judged[i]) && (!range.slowest_right || cost->instructions > range.slowest_right->instructions)) range.slowest_right = cost;
    // In a group of small tests nobody is.
    const auto is_slow_here = [&](std::size_t test) { return test < reports.judged[i].tests.size() && WasRun(reports.judged[i].tests[test]) && reports.judged[i].tests[test].code == kTle; };
    if (!IsTooSlow(package.submissions[i], reports.judged[i]) || std::none_of(tests.begin(), tests.end(), is_slow_here)) continue;
    if (!range.fastest_slow || cost->instructions < range.fastest_slow->instructions) range.fastest_slow = cost;
  }
  return range;
}

// "grows as n log n with the bytes of its input", where the tests are of sizes enough to say.
std::optional<std::string> GrowthOf(const Package& package, const Submission& submission, const SolutionReport& report) {
  std::vector<GrowthPoint> points;
  std::set<std::uint64_t> sizes;
  for (std::size_t i = 0; i < report.tests.size(); ++i) {
    const TestReport& test = report.tests[i];
    if (!WasRun(test) || !test.instructions || test.code != kOk) continue;
    const std::uint64_t size = std::filesystem::file_size(package.tests[i].input);
    if (sizes.insert(size).second) points.push_back({.n = size, .instructions = *test.instructions});
  }
  constexpr std::size_t kSizes = 5;
  constexpr std::uint64_t kFactor = 16;
  if (sizes.size() < kSizes || *sizes.rbegin() < kFactor * std::max<std::uint64_t>(1, *sizes.begin())) return std::nullopt;
  const Measured<Growth> growth = FitGrowth(points);
  if (!growth.has_value() || !growth.value().told) return std::nullopt;
  return fmt::format("{} grows as {} with the bytes of its input", submission.name, growth.value().Name());
}

std::string Advice(const Cost& right, const Cost& slow) {
  const double low = Seconds(right.instructions) * kAboveRight, high = Seconds(slow.instructions) / kBelowSlow;
  if (right.is_least || (low >= high && slow.is_least)) return "how far they are apart was not seen, for counting ended at a limit";
  if (low >= high) return fmt::format("they are only {} apart: no limit keeps a distance from both", Times(Seconds(slow.instructions) / Seconds(right.instructions)));
  const auto written = [](double seconds) { return FormatDuration(Nanoseconds(static_cast<std::int64_t>(seconds * 1e9))); };
  return fmt::format("{} to {}{} separate them", written(low), written(high), slow.is_least ? " and more" : "");
}

// The one on whose side of the limit it should not be.
void LookAtSides(const CostRange& range, double limit, Section* section) {
  if (range.slowest_right && Seconds(range.slowest_right->instructions) > limit) {
    section->problems.push_back(fmt::format("{}: it should pass, and by its instructions it is above the limit (test {}: {}{})", range.slowest_right->submission, range.slowest_right->test,
                                            range.slowest_right->is_least ? "more than " : "", Written(range.slowest_right->instructions)));
  }
  if (range.fastest_slow && Seconds(range.fastest_slow->instructions) < limit) {
    section->problems.push_back(fmt::format("{}: it is too slow here, and by its instructions it is below the limit (test {}: {})", range.fastest_slow->submission, range.fastest_slow->test,
                                            Written(range.fastest_slow->instructions)));
  }
}

void DescribeGroups(const Package& package, const JudgedTwice& reports, Section* section) {
  for (const TestGroup& group : package.groups) {
    const CostRange range = CostRangeOf(package, reports, group.tests);
    if (!range.slowest_right) continue;
    section->advice.push_back(fmt::format("group {}: slowest right {}; {}", group.name, Described(*range.slowest_right),
                                          range.fastest_slow ? "fastest too slow " + Described(*range.fastest_slow) : "nobody is too slow"));
  }
}

}  // namespace

std::optional<Nanoseconds> LimitBetween(Nanoseconds right, Nanoseconds slow) {
  const double low = std::chrono::duration<double>(right).count() * kAboveRight;
  const double high = slow.count() == 0 ? low * 4 : std::chrono::duration<double>(slow).count() / kBelowSlow;
  if (low >= high) return std::nullopt;
  const double middle = std::sqrt(low * high);
  // The coarsest steps with one that is between.
  for (const double step : {1.0, 0.5, 0.1, 0.01, 0.001}) {
    const double rounded = std::round(middle / step) * step;
    if (rounded >= low && rounded <= high && rounded > 0) return Milliseconds(std::llround(rounded * 1000));
  }
  return std::nullopt;
}

TimeLimitFinding VerifyTimeLimit(const Package& package, Nanoseconds limit, const JudgedTwice& reports) {
  TimeLimitFinding finding{{.name = "time limit"}, {}};
  Section& section = finding.section;
  std::vector<std::size_t> all(package.tests.size());
  std::iota(all.begin(), all.end(), 0);
  const CostRange range = CostRangeOf(package, reports, all);
  if (!range.slowest_right) {
    section.summary = "not looked at: no submission that is right was counted";
    return finding;
  }
  const double seconds = std::chrono::duration<double>(limit).count();
  section.summary = fmt::format("{} is {} the slowest that is right ({})", FormatDuration(limit), Times(seconds / Seconds(range.slowest_right->instructions)), Described(*range.slowest_right));
  if (range.fastest_slow) {
    section.summary += fmt::format(" and {}{} below the fastest that is too slow ({}): {}", range.fastest_slow->is_least ? "more than " : "",
                                   Times(Seconds(range.fastest_slow->instructions) / seconds), Described(*range.fastest_slow), Advice(*range.slowest_right, *range.fastest_slow));
  } else {
    section.summary += "; no submission is too slow";
  }
  const double low = Seconds(range.slowest_right->instructions) * kAboveRight;
  const bool is_high = range.fastest_slow && !range.fastest_slow->is_least && seconds > Seconds(range.fastest_slow->instructions) / kBelowSlow;
  if (seconds < low || is_high) {
    const auto time = [](Instructions count) { return Nanoseconds(static_cast<std::int64_t>(Seconds(count) * 1e9)); };
    // What was seen of one that was stopped bounds the limit, too.
    if (!range.slowest_right->is_least) finding.better = LimitBetween(time(range.slowest_right->instructions), range.fastest_slow ? time(range.fastest_slow->instructions) : Nanoseconds(0));
    else section.advice.push_back(fmt::format("{}: how slow it is was not seen; give the package a larger limit, and verify it again", range.slowest_right->submission));
    if (finding.better) section.advice.push_back(fmt::format("a limit of {} keeps a distance from both sides: --fix writes it", FormatDuration(*finding.better)));
  }
  LookAtSides(range, seconds, &section);
  DescribeGroups(package, reports, &section);
  for (std::size_t i = 0; i < package.submissions.size(); ++i) {
    if (const auto growth = GrowthOf(package, package.submissions[i], reports.counted[i])) section.advice.push_back(*growth);
  }
  return finding;
}

}  // namespace tally
