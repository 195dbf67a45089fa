// The page of `tally judge --report FILE.html` (judge_reports.h). Its text is made here whole, so that it says everything without scripts, on
// paper too; every piece of text passes through EscapedMarkup. It has the style of all of Tally's pages, profile/html/page.css.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/judge_reports.h"
#include "cli/judge_table.h"
#include "profile/html/page_style.h"

namespace tally {
namespace {

// More cells may be wider than the paper.
constexpr std::size_t kMostInARowOnPaper = 12;

bool IsRight(const TestReport& test) { return test.not_run.empty() && test.code == ResultCode::kOk; }

// What the pointer shows: the figures, and the sentence where something is wrong.
std::string Hover(const TestReport& test) {
  if (!test.not_run.empty()) return fmt::format("test {}: not run: {}", test.test, test.not_run);
  return fmt::format("test {}: {}, {}, {}, {}", test.test, Name(test.code), ShownTime(test), ShownMemory(test),
                     test.instructions ? FormatCount(*test.instructions) + " instructions" : "not counted") + (IsRight(test) ? "" : ": " + test.sentence);
}

// A name that may be long: where it must be broken, then after a slash, a comma or ::.
std::string BreakableMarkup(std::string_view name) {
  std::string out;
  for (const char c : EscapedMarkup(name)) {
    out += c;
    if (c == '/' || c == ',' || (c == ':' && out.ends_with("::"))) out += "<wbr>";
  }
  return out;
}

// "native runs", "translated runs, counted by the translator": what the results say of their runs; "" where nothing was run.
std::string RunsOf(const SolutionReport& report) {
  std::set<std::string> runs;
  for (const TestReport& test : report.tests) {
    const nlohmann::json keys = nlohmann::json::parse(test.json, nullptr, false);
    if (!keys.is_object() || !keys.contains("engine")) continue;
    const std::string counter = keys.value("counter_used", "none");
    runs.insert(keys.value("engine", "") + " runs" + (counter == "none" ? "" : ", counted by " + (counter == "translator" ? "the translator" : counter)));
  }
  return EscapedMarkup(fmt::format("{}", fmt::join(runs, "; ")));
}

std::string VerdictOf(const SolutionReport& report) { return report.not_judged.empty() ? std::string(Name(report.Worst())) : "-"; }

class Page {
 public:
  Page(const Package& package, const std::vector<SolutionReport>& reports, const std::vector<std::string>& names) : package_(package), reports_(reports), names_(names) {
    is_first_.assign(package.tests.size(), false);
    for (const TestGroup& group : package.groups) {
      if (!group.tests.empty()) is_first_[group.tests.front()] = true;
    }
  }

  std::string Text() {
    const std::string title = EscapedMarkup(TitleOf(package_));
    Add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src");
    Add(PageStylePolicy() + "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    Add(fmt::format("<title>{} - judged by Tally</title>\n{}\n</head>\n<body>\n<header>\n<div class=\"masthead\"><p class=\"brand\">tally <span>judge</span></p></div>\n<h1>{}</h1>\n", title, PageStyle(), title));
    Add(fmt::format("<p class=\"note\">{}, {}; limits: {}</p>\n", CountOf(package_.tests.size(), "test"), CountOf(reports_.size(), "solution"), EscapedMarkup(package_.limits_from)));
    AddMeans();
    Add("</header>\n<input type=\"checkbox\" id=\"fails\" class=\"controls\"> <label for=\"fails\" class=\"controls\">only what fails</label>\n<main class=\"judged\">\n");
    for (const std::string& warning : package_.warnings) Add(fmt::format("<p class=\"note\">warning: {}</p>\n", EscapedMarkup(warning)));
    AddMatrix();
    for (std::size_t i = 0; i < reports_.size(); ++i) AddSolution(i);
    Add(fmt::format("</main>\n<footer><p>Made by Tally {}. Everything is in this one file; it loads nothing.</p></footer>\n</body>\n</html>\n", TALLY_VERSION));
    return std::move(text_);
  }

 private:
  void Add(std::string_view text) { text_ += text; }

  void AddMeans() {
    std::vector<std::string> told;
    for (const SolutionReport& report : reports_) {
      const std::string means = MeansOf(report);
      if (means.empty() || std::find(told.begin(), told.end(), means) != told.end()) continue;
      Add(fmt::format("<p class=\"note\">{}</p>\n", EscapedMarkup(means)));
      told.push_back(means);
    }
  }

  void AddMatrix() {
    Add(fmt::format("<section id=\"matrix\"><h2>Solutions and tests</h2>\n<div class=\"scroller\" tabindex=\"0\" role=\"region\" aria-label=\"Solutions and tests\"><table class=\"matrix{}\">\n<tr><th>solution</th><th></th>",
                    package_.tests.size() > kMostInARowOnPaper ? " many" : ""));
    if (!package_.groups.empty()) Add("<th class=\"number\">points</th>");
    for (std::size_t i = 0; i < package_.tests.size(); ++i) Add(fmt::format("<th class=\"cell{}\">{}</th>", is_first_[i] ? " first" : "", EscapedMarkup(package_.tests[i].name)));
    Add("</tr>\n");
    for (std::size_t i = 0; i < reports_.size(); ++i) {
      const SolutionReport& report = reports_[i];
      const std::string verdict = VerdictOf(report);
      Add(fmt::format("<tr class=\"{}\"><td class=\"solution\"><a href=\"#s{}\">{}</a></td><td class=\"{}\">{}</td>", verdict == "OK" ? "right" : "wrong", i, BreakableMarkup(names_[i]), verdict, verdict));
      if (!package_.groups.empty()) Add(fmt::format("<td class=\"number\">{}</td>", report.score ? FormatPoints(report.score->points) : "0"));
      for (std::size_t test = 0; test < report.tests.size(); ++test) {
        const TestReport& one = report.tests[test];
        const std::string_view code = one.not_run.empty() ? Name(one.code) : std::string_view("none");
        Add(fmt::format("<td class=\"cell {}{}\" title=\"{}\" data-test=\"{}\">{}</td>", code, is_first_[test] ? " first" : "", EscapedMarkup(Hover(one)), EscapedMarkup(one.test), one.not_run.empty() ? code : "-"));
      }
      if (report.tests.empty()) Add(fmt::format("<td class=\"text none\" colspan=\"{}\">{}</td>", package_.tests.size(), EscapedMarkup(report.not_judged.empty() ? report.compilation.sentence : report.not_judged)));
      Add("</tr>\n");
    }
    Add("</table></div></section>\n");
  }

  void AddSolution(std::size_t index) {
    const SolutionReport& report = reports_[index];
    if (!report.not_judged.empty()) return;
    Add(fmt::format("<section class=\"{}\" id=\"s{}\"><h2>{} <span class=\"note\">{}</span></h2>\n", report.Worst() == ResultCode::kOk ? "right" : "wrong", index, BreakableMarkup(names_[index]),
                    EscapedMarkup(report.compilation.language)));
    if (const std::string runs = RunsOf(report); !runs.empty()) Add(fmt::format("<p class=\"note run\">{}</p>\n", runs));
    if (!report.compilation.output.empty()) Add(fmt::format("<pre>{}</pre>\n", EscapedMarkup(report.compilation.output)));
    if (report.score) AddGroups(*report.score);
    if (!report.tests.empty()) {
      Add(fmt::format("<div class=\"scroller\" tabindex=\"0\" role=\"region\" aria-label=\"Tests of {}\"><table>\n<tr><th>test</th><th></th><th class=\"number\">time</th><th class=\"number\">memory</th>{}<th></th></tr>\n", EscapedMarkup(names_[index]), AnyIsCounted(report.tests) ? "<th class=\"number\">instructions</th>" : ""));
      for (const TestReport& test : report.tests) AddTest(test, AnyIsCounted(report.tests));
      Add("</table></div>\n");
    }
    Add("</section>\n");
  }

  void AddGroups(const Score& score) {
    Add(fmt::format("<p class=\"note\">{} of {}:", FormatPoints(score.points), CountOfPoints(score.most)));
    for (std::size_t i = 0; i < package_.groups.size(); ++i) {
      Add(fmt::format(" {} {}/{}{}", EscapedMarkup(package_.groups[i].name), FormatPoints(score.groups[i]), FormatPoints(package_.groups[i].points), i + 1 < package_.groups.size() ? "," : ""));
    }
    Add("</p>\n");
  }

  void AddTest(const TestReport& test, bool is_counted) {
    if (!test.not_run.empty()) {
      Add(fmt::format("<tr><td>{}</td><td class=\"none\">-</td><td></td><td></td>{}<td class=\"text\">not run: {}</td></tr>\n", EscapedMarkup(test.test), is_counted ? "<td></td>" : "", EscapedMarkup(test.not_run)));
      return;
    }
    Add(fmt::format("<tr class=\"{}\"><td>{}</td><td class=\"{}\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>{}<td class=\"text\">{}", IsRight(test) ? "right" : "wrong",
                    EscapedMarkup(test.test), Name(test.code), Name(test.code), ShownTime(test), ShownMemory(test),
                    is_counted ? fmt::format("<td class=\"number\">{}</td>", test.instructions ? FormatCount(*test.instructions) : "-") : "", IsRight(test) && test.sentence == "ok" ? "" : EscapedMarkup(test.sentence)));
    if (!test.last_words.empty()) Add(fmt::format("<pre>{}</pre>", EscapedMarkup(test.last_words)));
    Add("</td></tr>\n");
  }

  const Package& package_;
  const std::vector<SolutionReport>& reports_;
  const std::vector<std::string>& names_;
  std::vector<bool> is_first_;  // of a group's tests
  std::string text_;
};

}  // namespace

std::string ReportPage(const Package& package, const std::vector<SolutionReport>& reports, const std::vector<std::string>& names) { return Page(package, reports, names).Text(); }

}  // namespace tally
