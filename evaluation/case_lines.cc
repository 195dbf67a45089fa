#include "evaluation/case_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "evaluation/evaluation_settings.h"
#include "evaluation/phase.h"

namespace tally {
namespace {

constexpr Characters kLongestPart{200};  // of a line

std::string FirstLine(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  const std::size_t end = BytesOfFirst(kLongestPart, line);
  return end == line.size() ? line : line.substr(0, end) + "...";
}

std::string CaseLines(const EvaluationResult& tests) {
  std::string lines = fmt::format("{}{} of {} passed\n", kCaseLinesBegin, tests.Count(CaseStatus::kPassed), tests.Count());
  for (const TestSuite& suite : tests.suites) {
    for (const TestCase& test : suite.cases) {
      if (lines.size() > kMostWritten.count) return lines;
      lines += fmt::format("{:<8} {}{}{}\n", Name(test.status), FirstLine(test.Id()), test.message.empty() ? "" : ": ", FirstLine(test.message));
    }
  }
  return lines;
}

}  // namespace

void AddCaseLines(Characters most, EvaluationResult* tests) {
  if (tests->Count() == 0) return;
  const std::string lines = Cut(CaseLines(*tests), most);
  std::string& output = tests->output;
  if (!output.empty() && output.back() != '\n') output += '\n';
  const Characters room{most.count - std::min(most.count, CharactersOf(lines).count)};
  output = Cut(std::move(output), room) + lines;
}

}  // namespace tally
