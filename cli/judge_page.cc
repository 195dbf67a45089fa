// The page of `tally judge --report FILE.html` (judge_reports.h). Its text is made here whole, so that it says everything without scripts, on
// paper too; every piece of text passes through EscapedMarkup.
#include <fmt/format.h>

#include <algorithm>

#include "cli/judge_reports.h"
#include "cli/judge_table.h"

namespace tally {
namespace {

constexpr std::string_view kStyle = R"css(
:root { --paper:#fbfbf9; --card:#fff; --ink:#1b1f24; --soft:#5b646e; --line:#e1e3e0; --ok:#00704e; --wa:#a8275c; --tle:#b95c00; --mle:#6f4aa5; --re:#8a3b12; --other:#5b646e; color-scheme: light; }
@media (prefers-color-scheme: dark) { :root { --paper:#14171a; --card:#1b1f23; --ink:#e6e8ea; --soft:#9aa4ae; --line:#2d3339; --ok:#4fc79b; --wa:#f27aa8; --tle:#f5a742; --mle:#b89af0; --re:#e8916a; --other:#9aa4ae; color-scheme: dark; } }
@media print { :root { --paper:#fff; --card:#fff; --ink:#000; --soft:#444; --line:#bbb; --ok:#00704e; --wa:#a8275c; --tle:#b95c00; --mle:#6f4aa5; --re:#8a3b12; --other:#5b646e; color-scheme: light; } .controls { display:none; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 80rem; padding: 1.25rem; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums; }
h1 { margin: 0; font-size: 1.6rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; overflow-wrap: anywhere; }
.soft { color: var(--soft); font-size: .9rem; }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin-top: .75rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { padding: .3rem .5rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; white-space: nowrap; }
tr:last-child td { border-bottom: 0; } th { color: var(--soft); font-weight: 500; }
.number { text-align: right; } a { color: inherit; } td.text { white-space: normal; overflow-wrap: anywhere; min-width: 14rem; }
.cell { text-align: center; font-weight: 600; border-left: 1px solid var(--line); } .first { border-left: 3px solid var(--line); }
.OK { color: var(--ok); } .WA { color: var(--wa); } .TLE { color: var(--tle); } .MLE, .OLE { color: var(--mle); } .RE, .RV { color: var(--re); } .CE, .SE, .none { color: var(--other); }
pre { margin: .25rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; color: var(--soft); }
#fails:checked ~ main .right { display: none; }
)css";

bool IsRight(const TestReport& test) { return test.not_run.empty() && test.code == ResultCode::kOk; }

// What the pointer shows: the figures, and the sentence where something is wrong.
std::string Hover(const TestReport& test) {
  if (!test.not_run.empty()) return fmt::format("test {}: not run: {}", test.test, test.not_run);
  return fmt::format("test {}: {}, {}, {}, {}", test.test, Name(test.code), ShownTime(test), ShownMemory(test),
                     test.instructions ? FormatCount(*test.instructions) + " instructions" : "not counted") + (IsRight(test) ? "" : ": " + test.sentence);
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
    Add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    Add(fmt::format("<title>{} - judged by Tally</title>\n<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n", title, kStyle, title));
    Add(fmt::format("<p class=\"soft\">{}, {}; limits: {}</p>\n", CountOf(package_.tests.size(), "test"), CountOf(reports_.size(), "solution"), EscapedMarkup(package_.limits_from)));
    AddMeans();
    Add("<input type=\"checkbox\" id=\"fails\" class=\"controls\"> <label for=\"fails\" class=\"controls\">only what fails</label>\n<main>\n");
    for (const std::string& warning : package_.warnings) Add(fmt::format("<p class=\"soft\">warning: {}</p>\n", EscapedMarkup(warning)));
    AddMatrix();
    for (std::size_t i = 0; i < reports_.size(); ++i) AddSolution(i);
    Add(fmt::format("</main>\n<p class=\"soft\">Made by Tally {}. Everything is in this one file; it loads nothing.</p>\n</body>\n</html>\n", TALLY_VERSION));
    return std::move(text_);
  }

 private:
  void Add(std::string_view text) { text_ += text; }

  void AddMeans() {
    std::vector<std::string> told;
    for (const SolutionReport& report : reports_) {
      const std::string means = MeansOf(report);
      if (means.empty() || std::find(told.begin(), told.end(), means) != told.end()) continue;
      Add(fmt::format("<p class=\"soft\">{}</p>\n", EscapedMarkup(means)));
      told.push_back(means);
    }
  }

  void AddMatrix() {
    Add("<div class=\"scroll\"><table>\n<tr><th>solution</th><th></th>");
    if (!package_.groups.empty()) Add("<th class=\"number\">points</th>");
    for (std::size_t i = 0; i < package_.tests.size(); ++i) Add(fmt::format("<th class=\"cell{}\">{}</th>", is_first_[i] ? " first" : "", EscapedMarkup(package_.tests[i].name)));
    Add("</tr>\n");
    for (std::size_t i = 0; i < reports_.size(); ++i) {
      const SolutionReport& report = reports_[i];
      const std::string verdict = VerdictOf(report);
      Add(fmt::format("<tr class=\"{}\"><td><a href=\"#s{}\">{}</a></td><td class=\"{}\">{}</td>", verdict == "OK" ? "right" : "wrong", i, EscapedMarkup(names_[i]), verdict, verdict));
      if (!package_.groups.empty()) Add(fmt::format("<td class=\"number\">{}</td>", report.score ? FormatPoints(report.score->points) : "0"));
      for (std::size_t test = 0; test < report.tests.size(); ++test) {
        const TestReport& one = report.tests[test];
        const std::string_view code = one.not_run.empty() ? Name(one.code) : std::string_view("none");
        Add(fmt::format("<td class=\"cell {}{}\" title=\"{}\">{}</td>", code, is_first_[test] ? " first" : "", EscapedMarkup(Hover(one)), one.not_run.empty() ? code : "-"));
      }
      if (report.tests.empty()) Add(fmt::format("<td class=\"text none\" colspan=\"{}\">{}</td>", package_.tests.size(), EscapedMarkup(report.not_judged.empty() ? report.compilation.sentence : report.not_judged)));
      Add("</tr>\n");
    }
    Add("</table></div>\n");
  }

  void AddSolution(std::size_t index) {
    const SolutionReport& report = reports_[index];
    if (!report.not_judged.empty()) return;
    Add(fmt::format("<section class=\"{}\" id=\"s{}\"><h2>{} <span class=\"soft\">{}</span></h2>\n", report.Worst() == ResultCode::kOk ? "right" : "wrong", index, EscapedMarkup(names_[index]),
                    EscapedMarkup(report.compilation.language)));
    if (!report.compilation.output.empty()) Add(fmt::format("<pre>{}</pre>\n", EscapedMarkup(report.compilation.output)));
    if (report.score) AddGroups(*report.score);
    if (!report.tests.empty()) {
      Add("<div class=\"scroll\"><table>\n<tr><th>test</th><th></th><th class=\"number\">time</th><th class=\"number\">memory</th><th class=\"number\">instructions</th><th></th></tr>\n");
      for (const TestReport& test : report.tests) AddTest(test);
      Add("</table></div>\n");
    }
    Add("</section>\n");
  }

  void AddGroups(const Score& score) {
    Add(fmt::format("<p class=\"soft\">{} of {} points:", FormatPoints(score.points), FormatPoints(score.most)));
    for (std::size_t i = 0; i < package_.groups.size(); ++i) {
      Add(fmt::format(" {} {}/{}{}", EscapedMarkup(package_.groups[i].name), FormatPoints(score.groups[i]), FormatPoints(package_.groups[i].points), i + 1 < package_.groups.size() ? "," : ""));
    }
    Add("</p>\n");
  }

  void AddTest(const TestReport& test) {
    if (!test.not_run.empty()) {
      Add(fmt::format("<tr><td>{}</td><td class=\"none\">-</td><td></td><td></td><td></td><td class=\"text\">not run: {}</td></tr>\n", EscapedMarkup(test.test), EscapedMarkup(test.not_run)));
      return;
    }
    Add(fmt::format("<tr class=\"{}\"><td>{}</td><td class=\"{}\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"text\">{}", IsRight(test) ? "right" : "wrong",
                    EscapedMarkup(test.test), Name(test.code), Name(test.code), ShownTime(test), ShownMemory(test), test.instructions ? FormatCount(*test.instructions) : "-",
                    IsRight(test) && test.sentence == "ok" ? "" : EscapedMarkup(test.sentence)));
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
