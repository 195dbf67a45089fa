#include "cli/judge_table.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/lines.h"
#include "base/printable.h"
#include "cli/terminal.h"

namespace tally {
namespace {

std::string OneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return Printable(text);
}

// Cut behind its point, and between characters.
std::string Shorten(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  text.resize(end);
  return text.append("...");
}

std::string Optional(const std::optional<std::uint64_t>& figure, const char* unit) {
  return figure ? fmt::format("{} {}", FormatCount(*figure), unit) : "-";
}

// The colour codes have no width, so cells are padded first and painted after.
std::string CodeCell(ResultCode code, bool colour) {
  return PaintCode(code, colour) + std::string(5 - std::min<std::size_t>(5, Name(code).size()), ' ');
}

void PrintCompilerOutput(const std::string& output) {
  constexpr std::size_t kLines = 12;
  const std::vector<std::string> lines = LinesOf(output);
  for (std::size_t i = 0; i < std::min(kLines, lines.size()); ++i) fmt::print("    {}\n", Printable(lines[i]));
  if (lines.size() > kLines) fmt::print("    ...\n");
}

void PrintLastWords(const std::string& words, bool colour) {
  constexpr std::size_t kLines = 4;
  const std::vector<std::string> lines = LinesOf(words);
  for (std::size_t i = lines.size() - std::min(kLines, lines.size()); i < lines.size(); ++i) {
    fmt::print("{}\n", Dim("      | " + Shorten(Printable(lines[i]), 110), colour));
  }
}

bool IsRight(const TestReport& test) { return test.not_run.empty() && test.code == ResultCode::kOk; }

void PrintTests(const SolutionReport& report, const SolutionPrinting& printing) {
  const bool counted = std::any_of(report.tests.begin(), report.tests.end(), [](const TestReport& t) { return t.instructions; });
  std::size_t width = 4;
  for (const TestReport& test : report.tests) width = std::max(width, test.test.size());
  const std::string head = fmt::format("  {:<{}}  {:<5} {:>10} {:>12}{}  {}", "test", width, "", "time", "memory",
                                       counted ? fmt::format(" {:>18}", "instructions") : "", "");
  fmt::print("{}\n", Dim(head, printing.colour));
  std::string last_words;  // many tests fail with the same
  for (const TestReport& test : report.tests) {
    if (printing.only_failures && (IsRight(test) || !test.not_run.empty())) continue;
    if (!test.not_run.empty()) {
      fmt::print("  {:<{}}  {}\n", Printable(test.test), width, Dim("-     not run: " + test.not_run, printing.colour));
      continue;
    }
    const std::string instructions = counted ? fmt::format(" {:>18}", Optional(test.instructions, "")) : "";
    const std::string comment = IsRight(test) && test.sentence == "ok" ? "" : Shorten(OneLine(test.sentence), 90);
    fmt::print("  {:<{}}  {} {:>10} {:>12}{}  {}\n", Printable(test.test), width, CodeCell(test.code, printing.colour),
               Optional(test.time_ms, "ms"), Optional(test.memory_kib, "kB"), instructions, comment);
    if (test.last_words != last_words) PrintLastWords(test.last_words, printing.colour);
    last_words = test.last_words;
  }
}

void PrintGroups(const Package& package, const SolutionReport& report, bool colour) {
  if (!report.score) return;
  std::string line;
  for (std::size_t i = 0; i < package.groups.size(); ++i) {
    line += fmt::format("{}{} {}/{}", i == 0 ? "" : ", ", Printable(package.groups[i].name), FormatPoints(report.score->groups[i]), FormatPoints(package.groups[i].points));
  }
  fmt::print("  {} of {} points {}\n", FormatPoints(report.score->points), FormatPoints(report.score->most), Dim("(" + line + ")", colour));
}

// '.' is right; '-' was not run.
char Letter(const TestReport& test) {
  if (!test.not_run.empty()) return '-';
  switch (test.code) {
    case ResultCode::kOk: return '.';
    case ResultCode::kWa: return 'W';
    case ResultCode::kTle: return 'T';
    case ResultCode::kMle: return 'M';
    case ResultCode::kOle: return 'O';
    case ResultCode::kRe: return 'R';
    case ResultCode::kRv: return 'V';
    case ResultCode::kCe: return 'C';
    case ResultCode::kSe: return 'S';
  }
  return '?';
}

// A letter for each test, a blank between groups; "" where there are too many for a line.
std::string Matrix(const Package& package, const SolutionReport& report) {
  constexpr std::size_t kMost = 60;
  if (package.tests.size() > kMost) return "";
  std::vector<std::size_t> group_of(package.tests.size(), package.groups.size());
  for (std::size_t group = 0; group < package.groups.size(); ++group) {
    for (const std::size_t test : package.groups[group].tests) group_of[test] = group;
  }
  std::string cells;
  for (std::size_t i = 0; i < package.tests.size(); ++i) {
    if (i > 0 && group_of[i] != group_of[i - 1]) cells += ' ';
    cells += i < report.tests.size() ? Letter(report.tests[i]) : ' ';
  }
  return cells;
}

std::size_t TestsRun(const SolutionReport& report, std::size_t tests) {
  if (report.tests.empty()) return tests;
  return static_cast<std::size_t>(std::count_if(report.tests.begin(), report.tests.end(), [](const TestReport& test) { return test.not_run.empty(); }));
}

}  // namespace

void PrintPackageHead(const Package& package, const ExecOptions& exec, bool colour) {
  const std::string title = package.title.empty() ? std::filesystem::weakly_canonical(package.directory).filename().string() : package.title;
  if (package.output_only) return fmt::print("{}: {} tests, whose outputs are handed in\n", Bold(Printable(title), colour), package.tests.size());
  const std::string time = exec.kind == ExecKind::kVcpuExec
                               ? FormatDuration(VirtualTime(*exec.limits.instructions)) + " of virtual time"
                               : FormatDuration(*exec.limits.user_time);
  fmt::print("{}: {} tests, {}, {} (limits: {})\n", Bold(Printable(title), colour), package.tests.size(), time,
             FormatBytes(*exec.limits.memory), package.limits_from);
}

void PrintWarnings(const Package& package) {
  for (const std::string& warning : package.warnings) fmt::print(stderr, "tally: warning: {}\n", Printable(warning));
  if (package.not_read.empty()) return;
  constexpr std::size_t kShown = 4;
  std::string names;
  for (std::size_t i = 0; i < std::min(kShown, package.not_read.size()); ++i) names += (i == 0 ? "" : ", ") + Printable(package.not_read[i]);
  if (package.not_read.size() > kShown) names += fmt::format(" and {} more", package.not_read.size() - kShown);
  fmt::print(stderr, "tally: warning: {}: {} of its files look like tests or settings and are not read: {}\n", Printable(package.directory), package.not_read.size(), names);
}

void PrintSolution(const Package& package, const SolutionReport& report, const std::string& name, const SolutionPrinting& printing) {
  if (printing.only_failures && report.Worst() == ResultCode::kOk) return;
  const std::string language = report.compilation.language.empty() ? "" : " (" + report.compilation.language + ")";
  fmt::print("\n{}{}\n", Bold(Printable(name), printing.colour), language);
  if (!report.compilation.ok) {
    fmt::print("  {}  {}\n", PaintCode(ResultCode::kCe, printing.colour), OneLine(report.compilation.sentence));
    PrintCompilerOutput(report.compilation.output);
    return;
  }
  PrintTests(report, printing);
  PrintGroups(package, report, printing.colour);
}

void PrintTotals(const Package& package, const std::vector<SolutionReport>& reports, const std::vector<std::string>& names, bool colour) {
  std::size_t width = 8;
  for (const std::string& name : names) width = std::max(width, Printable(name).size());
  fmt::print("\n");
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const SolutionReport& report = reports[i];
    const std::string name = fmt::format("{:<{}}", Printable(names[i]), width);
    if (!report.not_judged.empty()) {
      fmt::print("{}  -     not judged\n", name);
      continue;
    }
    std::optional<std::uint64_t> slowest, largest;  // an absent figure is below all others
    for (const TestReport& test : report.tests) {
      slowest = std::max(slowest, test.time_ms);
      largest = std::max(largest, test.memory_kib);
    }
    fmt::print("{}  {} {:>3}/{} tests", name, CodeCell(report.Worst(), colour), report.Accepted(), package.tests.size());
    if (const std::string matrix = Matrix(package, report); reports.size() > 1 && !matrix.empty()) fmt::print("   {}", matrix);
    if (!package.groups.empty()) fmt::print("   {:>6}/{} points", FormatPoints(report.score ? report.score->points : 0), FormatPoints(report.score ? report.score->most : ScoreOf(package.groups, std::vector<TestOutcome>(package.tests.size())).most));
    if (slowest || largest) fmt::print("   slowest {}, largest {}", Optional(slowest, "ms"), Optional(largest, "kB"));
    if (const std::size_t run = TestsRun(report, package.tests.size()); run < package.tests.size()) fmt::print("{} {} not run", slowest || largest ? "," : "  ", package.tests.size() - run);
    fmt::print("\n");
  }
}

std::vector<std::string> NamesOf(const std::vector<std::string>& files) {
  const auto last_parts = [](const std::filesystem::path& path, std::size_t parts) {
    const std::vector<std::filesystem::path> all(path.begin(), path.end());
    std::filesystem::path name;
    for (std::size_t i = all.size() - std::min(parts, all.size()); i < all.size(); ++i) name /= all[i];
    return name.string();
  };
  std::vector<std::string> names;
  for (const std::string& file : files) {
    const auto is_alike = [&](std::size_t parts) {
      return std::any_of(files.begin(), files.end(), [&](const std::string& other) { return other != file && last_parts(other, parts) == last_parts(file, parts); });
    };
    std::size_t parts = 1;
    while (parts < 16 && is_alike(parts)) ++parts;
    names.push_back(last_parts(file, parts));
  }
  return names;
}

}  // namespace tally
