#include "verify/submissions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/printable.h"

namespace tally {
namespace {

constexpr double kPointsApart = 1e-6;

std::vector<ResultCode> VerdictsOf(const SolutionReport& report) {
  if (!report.compilation.ok) return {ResultCode::kCe};
  std::vector<ResultCode> verdicts;
  for (const TestReport& test : report.tests) {
    if (test.not_run.empty()) verdicts.push_back(test.code);
  }
  return verdicts;
}

// The first test whose verdict is not permitted, for a sentence that can be looked into.
std::string Where(const Promise& expected, const SolutionReport& report) {
  for (const TestReport& test : report.tests) {
    const bool is_permitted = expected.permitted.empty() || std::find(expected.permitted.begin(), expected.permitted.end(), test.code) != expected.permitted.end();
    if (test.not_run.empty() && !is_permitted) return fmt::format(" (test {}: {})", test.test, Printable(test.sentence.substr(0, 120)));
  }
  return "";
}

void LookAtPoints(const Package& package, const Submission& submission, const SolutionReport& report, Section* section) {
  const Promise& expected = *submission.expected;
  if (!report.score) return;
  if (expected.points && std::abs(*expected.points - report.score->points) > kPointsApart) {
    section->problems.push_back(fmt::format("{}: it has {}, where {} says {}", submission.name, CountOfPoints(report.score->points), expected.word, FormatPoints(*expected.points)));
  }
  for (const auto& [name, points] : expected.group_points) {
    for (std::size_t i = 0; i < package.groups.size(); ++i) {
      if (package.groups[i].name != name || std::abs(points - report.score->groups[i]) <= kPointsApart) continue;
      section->problems.push_back(fmt::format("{}: it has {} in group {}, where {} says {}", submission.name, CountOfPoints(report.score->groups[i]), name, expected.word, FormatPoints(points)));
    }
  }
}

// What the model prints is the package's answers, which its being right says.
void LookAtModel(const Package& package, Section* section) {
  const bool has_model = std::any_of(package.submissions.begin(), package.submissions.end(), [](const Submission& one) { return one.is_model; });
  if (!package.submissions.empty() && !has_model) section->advice.push_back("no submission is said to be the model, so nothing shows that the answers are right");
}

}  // namespace

Section VerifySubmissions(const Package& package, const std::vector<SolutionReport>& reports) {
  Section section{.name = "submissions"};
  std::size_t promised = 0, kept = 0;
  for (std::size_t i = 0; i < package.submissions.size(); ++i) {
    const Submission& submission = package.submissions[i];
    const SolutionReport& report = reports[i];
    const std::size_t before = section.problems.size();
    if (submission.expected) ++promised;
    if (!report.not_judged.empty()) {
      section.problems.push_back(fmt::format("{}: it cannot be judged: {}", submission.name, report.not_judged));
      continue;
    }
    for (const TestReport& test : report.tests) {
      if (test.not_run.empty() && test.code == ResultCode::kSe) section.problems.push_back(fmt::format("{}: test {} could not be judged: {}", submission.name, test.test, Printable(test.sentence)));
    }
    if (!submission.expected) continue;
    if (const auto contradiction = Contradiction(*submission.expected, VerdictsOf(report))) {
      section.problems.push_back(fmt::format("{}: {}{}", submission.name, *contradiction, Where(*submission.expected, report)));
    }
    LookAtPoints(package, submission, report, &section);
    if (section.problems.size() == before) ++kept;
  }
  LookAtModel(package, &section);
  section.summary = package.submissions.empty() ? "not looked at: the package has none" : fmt::format("{} of {} get what is promised of them", kept, promised);
  return section;
}

}  // namespace tally
