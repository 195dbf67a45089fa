#include "cli/judge_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/printable.h"
#include "cli/judge_table.h"

namespace tally {
namespace {

// RFC 4180; a cell that a spreadsheet would take for a formula begins with an apostrophe.
std::string Cell(const std::string& raw) {
  std::string text = Printable(raw);
  constexpr std::string_view kFormulas = "=+-@\t";
  if (!text.empty() && kFormulas.find(text.front()) != std::string_view::npos) text.insert(0, "'");
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string Figure(const std::optional<std::uint64_t>& figure) { return figure ? std::to_string(*figure) : ""; }

std::string Row(const std::vector<std::string>& cells) {
  std::string row;
  for (const std::string& cell : cells) row += (row.empty() ? "" : ",") + Cell(cell);
  return row + "\r\n";
}

std::string Csv(const std::vector<SolutionReport>& reports, const std::vector<std::string>& names) {
  std::string out = "solution,test,verdict,percentage,time_ms,memory_kB,instructions,sentence\r\n";
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const SolutionReport& report = reports[i];
    if (!report.not_judged.empty()) {
      out += Row({names[i], "", "not judged", "", "", "", "", report.not_judged});
    } else if (!report.compilation.ok) {
      out += Row({names[i], "", "CE", "", "", "", "", report.compilation.sentence});
    }
    for (const TestReport& test : report.tests) {
      if (!test.not_run.empty()) out += Row({names[i], test.test, "not run", "", "", "", "", test.not_run});
      else out += Row({names[i], test.test, std::string(Name(test.code)), fmt::format("{:g}", test.percentage), Figure(test.time_ms), Figure(test.memory_kib), Figure(test.instructions), test.sentence});
    }
  }
  return out;
}

// The format that Jenkins and GitLab read: a suite for each solution.
std::string JUnit(const Package& package, const std::vector<SolutionReport>& reports, const std::vector<std::string>& names) {
  std::string out = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\">\n", EscapedMarkup(TitleOf(package)));
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const SolutionReport& report = reports[i];
    const std::string name = EscapedMarkup(names[i]);
    if (!report.not_judged.empty() || !report.compilation.ok) {
      const std::string& why = report.not_judged.empty() ? report.compilation.sentence : report.not_judged;
      out += fmt::format("  <testsuite name=\"{0}\" tests=\"1\" failures=\"0\" errors=\"1\">\n    <testcase classname=\"{0}\" name=\"compilation\"><error message=\"{1}\">{2}</error></testcase>\n  </testsuite>\n",
                         name, EscapedMarkup(why), EscapedMarkup(report.compilation.output));
      continue;
    }
    const auto count = [&](auto is) { return std::count_if(report.tests.begin(), report.tests.end(), is); };
    const auto skipped = count([](const TestReport& test) { return !test.not_run.empty(); });
    const auto errors = count([](const TestReport& test) { return test.not_run.empty() && test.code == ResultCode::kSe; });
    const auto failures = count([](const TestReport& test) { return test.not_run.empty() && test.code != ResultCode::kOk; }) - errors;
    out += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n", name, report.tests.size(), failures, errors, skipped);
    for (const TestReport& test : report.tests) {
      const std::string time = test.time_ms ? fmt::format(" time=\"{:.3f}\"", static_cast<double>(*test.time_ms) / 1000) : "";
      out += fmt::format("    <testcase classname=\"{}\" name=\"{}\"{}>", name, EscapedMarkup(test.test), time);
      if (!test.not_run.empty()) out += fmt::format("<skipped message=\"{}\"/>", EscapedMarkup(test.not_run));
      else if (test.code != ResultCode::kOk) {
        const char* const kind = test.code == ResultCode::kSe ? "error" : "failure";
        out += fmt::format("<{0} type=\"{1}\" message=\"{2}\">{3}</{0}>", kind, Name(test.code), EscapedMarkup(test.sentence), EscapedMarkup(test.last_words));
      }
      out += "</testcase>\n";
    }
    out += "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

std::string EndingOf(const std::string& path) { return std::filesystem::path(path).extension(); }

}  // namespace

std::string EscapedMarkup(std::string_view text) {
  std::string out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    for (const char c : Printable(text.substr(begin, end - begin))) {
      switch (c) {
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '&': out += "&amp;"; break;
        case '"': out += "&quot;"; break;
        default: out += c;
      }
    }
    if (end < text.size()) out += '\n';
    begin = end + 1;
  }
  return out;
}

void RequireReportEnding(const std::string& path) {
  const std::string ending = EndingOf(path);
  for (const char* known : {".json", ".csv", ".xml", ".html"}) {
    if (ending == known) return;
  }
  throw UserError(fmt::format("--report: {} ends in \"{}\"; expected .json, .csv, .xml (JUnit) or .html", path, ending));
}

std::string ReportFor(const std::string& path, const Package& package, const std::vector<SolutionReport>& reports, const std::vector<std::string>& names) {
  const std::string ending = EndingOf(path);
  if (ending == ".csv") return Csv(reports, names);
  if (ending == ".xml") return JUnit(package, reports, names);
  if (ending == ".html") return ReportPage(package, reports, names);
  return ReportJson(package, reports);
}

}  // namespace tally
