#include "cli/judge_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/columns.h"
#include "base/did_you_mean.h"
#include "base/lines.h"
#include "base/printable.h"
#include "base/wrapped_text.h"
#include "cli/terminal.h"

namespace tally {
namespace {

std::string OneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return Printable(text);
}

std::string CpuTime(const TestReport& test) { return test.cpu_time ? FormatMilliseconds(*test.cpu_time) : "-"; }

bool IsRun(const TestReport& test) { return test.not_run.empty(); }

void PrintCompilerOutput(const std::string& output, std::size_t terminal) {
  constexpr std::size_t kLines = 12;
  const std::vector<std::string> lines = LinesOf(output);
  for (std::size_t i = 0; i < std::min(kLines, lines.size()); ++i) fmt::print("{}\n", WrappedText("    " + Printable(lines[i]), terminal));
  if (lines.size() > kLines) fmt::print("    ...\n");
}

void PrintLastWords(const std::string& words, std::size_t terminal, bool colour) {
  constexpr std::size_t kLines = 4, kMost = 110;
  constexpr std::string_view kMark = "      | ";
  const std::size_t most = terminal > 2 * kMark.size() ? std::min(kMost, terminal - kMark.size()) : kMost;
  const std::vector<std::string> lines = LinesOf(words);
  for (std::size_t i = lines.size() - std::min(kLines, lines.size()); i < lines.size(); ++i) {
    fmt::print("{}\n", Dim(std::string(kMark) + Shortened(Printable(lines[i]), most), colour));
  }
}

bool IsRight(const TestReport& test) { return IsRun(test) && test.code == ResultCode::kOk; }

// On a narrow terminal those go first that are asked for least.
Columns ColumnsFor(const std::vector<TestReport>& tests, const SolutionPrinting& printing) {
  const bool is_virtual = std::any_of(tests.begin(), tests.end(), [](const TestReport& test) { return test.virtual_time; });
  std::size_t name = 0, time = 10;
  for (const TestReport& test : tests) {
    name = std::max(name, CharactersIn(Printable(test.test)));
    time = std::max(time, CharactersIn(ShownTime(test)));
  }
  std::vector<Column> columns{{"test", name}, {"", 5}, {is_virtual ? "virtual time" : "time", time, true, 0, " "}, {"memory", 10, true, 3, "  "}};
  if (AnyIsCounted(tests)) columns.push_back({"instructions", 16, true, 2, "  "});
  if (is_virtual) columns.push_back({"CPU time", 10, true, 1, "  "});
  return {columns, printing.terminal, printing.colour};
}

void PrintTests(const SolutionReport& report, const SolutionPrinting& printing) {
  const Columns columns = ColumnsFor(report.tests, printing);
  const bool is_counted = AnyIsCounted(report.tests);
  fmt::print("{}", columns.Head());
  std::string last_words;  // many tests fail with the same
  for (const TestReport& test : report.tests) {
    if (printing.only_failures && (IsRight(test) || !IsRun(test))) continue;
    if (!IsRun(test)) {
      fmt::print("{}", columns.Row({{Printable(test.test)}, {"-", "2"}}, {"not run: " + Printable(test.not_run), "2"}));
      continue;
    }
    std::vector<Cell> cells{{Printable(test.test)}, {std::string(Name(test.code)), StyleOf(test.code)}, {ShownTime(test)}, {ShownMemory(test)}};
    if (is_counted) cells.push_back({test.instructions ? FormatCount(*test.instructions) : "-"});
    cells.push_back({CpuTime(test)});
    fmt::print("{}", columns.Row(cells, {IsRight(test) && test.sentence == "ok" ? "" : OneLine(test.sentence)}));
    if (test.last_words != last_words) PrintLastWords(test.last_words, printing.terminal, printing.colour);
    last_words = test.last_words;
  }
}

void PrintGroups(const Package& package, const SolutionReport& report, const SolutionPrinting& printing) {
  if (!report.score) return;
  std::string line;
  for (std::size_t i = 0; i < package.groups.size(); ++i) {
    line += fmt::format("{}{} {}/{}", i == 0 ? "" : ", ", Printable(package.groups[i].name), FormatPoints(report.score->groups[i]), FormatPoints(package.groups[i].points));
  }
  const std::string points = fmt::format("  {} of {} {}", FormatPoints(report.score->points), CountOfPoints(report.score->most), Dim("(" + line + ")", printing.colour));
  fmt::print("{}\n", WrappedText(points, printing.terminal));
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
  return static_cast<std::size_t>(std::count_if(report.tests.begin(), report.tests.end(), IsRun));
}

// As many of them on a line as there is room for.
std::string Flowed(const std::vector<std::string>& parts, std::size_t width_of_first, std::size_t terminal) {
  constexpr std::string_view kGap = "   ", kNewLine = "\n    ";
  std::string out = parts.front();
  std::size_t width = width_of_first;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const bool fits = terminal == 0 || width + kGap.size() + CharactersIn(parts[i]) <= terminal;
    out.append(fits ? kGap : kNewLine).append(parts[i]);
    width = (fits ? width + kGap.size() : kNewLine.size() - 1) + CharactersIn(parts[i]);
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

// "slowest 1,003 ms, largest 1.47 MiB, 2 not run".
std::string Extremes(const Package& package, const SolutionReport& report) {
  std::optional<Nanoseconds> slowest;
  std::optional<std::uint64_t> largest;  // an absent figure is below all others
  for (const TestReport& test : report.tests) {
    slowest = std::max(slowest, test.ShownTime());
    largest = std::max(largest, test.memory_kib);
  }
  std::vector<std::string> parts;
  if (slowest) parts.push_back("slowest " + FormatMilliseconds(*slowest));
  if (largest) parts.push_back("largest " + FormatMebibytes(Bytes::KiB(*largest)));
  if (const std::size_t run = TestsRun(report, package.tests.size()); run < package.tests.size()) parts.push_back(fmt::format("{} not run", package.tests.size() - run));
  return JoinWords(parts);
}

// User time alone is limited, and CPU time is shown: what is above the one may be below the other.
std::string LimitText(const ExecOptions& exec) {
  if (exec.kind == ExecKind::kVcpuExec) return FormatDuration(VirtualTime(*exec.limits.instructions)) + " of virtual time";
  const std::string user = FormatDuration(*exec.limits.user_time) + " of user time";
  return exec.limits.cpu_time ? fmt::format("{} ({} with system calls)", user, FormatDuration(*exec.limits.cpu_time)) : user;
}

}  // namespace

bool AnyIsCounted(const std::vector<TestReport>& tests) {
  return std::any_of(tests.begin(), tests.end(), [](const TestReport& test) { return test.instructions.has_value(); });
}

std::string ShownTime(const TestReport& test) {
  const std::optional<Nanoseconds> time = test.ShownTime();
  return time ? FormatMilliseconds(*time) + (test.is_late ? " real" : "") : "-";
}

std::string ShownMemory(const TestReport& test) { return test.memory_kib ? FormatMebibytes(Bytes::KiB(*test.memory_kib)) : "-"; }

std::string FolderName(const std::string& path) { return std::filesystem::weakly_canonical(path).filename(); }

std::string TitleOf(const Package& package) { return package.title.empty() ? FolderName(package.directory) : package.title; }

std::string MeansOf(const SolutionReport& report) {
  const auto test = std::find_if(report.tests.begin(), report.tests.end(), [](const TestReport& one) { return IsRun(one) && !one.isolation.empty(); });
  if (test == report.tests.end()) return "";
  return fmt::format("isolation: {}; memory: {}; time: {}", test->isolation, test->memory_metric, test->virtual_time ? "virtual, 2,000,000 instructions to a ms" : "CPU time, user and system");
}

void PrintPackageHead(const Package& package, const ExecOptions& exec, const SolutionPrinting& printing) {
  const std::string title = Printable(TitleOf(package)), tests = CountOf(package.tests.size(), "test");
  const std::string line = package.output_only ? fmt::format("{}: {}, whose outputs are handed in", title, tests)
                                               : fmt::format("{}: {}, {}, {} (limits: {})", title, tests, LimitText(exec), FormatBytes(*exec.limits.memory), package.limits_from);
  const std::string text = Wrapped(line, printing.terminal, 2);
  const std::size_t bold = text.starts_with(title) ? title.size() : 0;
  fmt::print("{}{}\n", bold > 0 ? Bold(title, printing.colour) : "", text.substr(bold));
}

void PrintWarnings(const Package& package) {
  for (const std::string& warning : package.warnings) Complain("tally: warning: " + warning);
  if (package.not_read.empty()) return;
  constexpr std::size_t kShown = 4;
  const bool is_one = package.not_read.size() == 1;
  std::string names;
  for (std::size_t i = 0; i < std::min(kShown, package.not_read.size()); ++i) names += (i == 0 ? "" : ", ") + Printable(package.not_read[i]);
  if (package.not_read.size() > kShown) names += fmt::format(" and {} more", package.not_read.size() - kShown);
  Complain(fmt::format("tally: warning: {}: {} of its files {} like tests or settings and {} not read: {}", Printable(FolderName(package.directory)), package.not_read.size(), is_one ? "looks" : "look", is_one ? "is" : "are", names));
}

void PrintSolution(const Package& package, const SolutionReport& report, const std::string& name, const SolutionPrinting& printing) {
  if (printing.only_failures && report.Worst() == ResultCode::kOk) return;
  const std::string language = report.compilation.language.empty() ? "" : " (" + report.compilation.language + ")";
  fmt::print("\n{}{}\n", Bold(Printable(name), printing.colour), language);
  if (!report.compilation.ok) {
    fmt::print("  {}  {}\n", PaintCode(ResultCode::kCe, printing.colour), Wrapped(OneLine(report.compilation.sentence), printing.terminal, 6));
    PrintCompilerOutput(report.compilation.output, printing.terminal);
    return;
  }
  PrintTests(report, printing);
  PrintGroups(package, report, printing);
}

void PrintTotals(const Package& package, const std::vector<SolutionReport>& reports, const std::vector<std::string>& names, const SolutionPrinting& printing) {
  std::size_t width = 8;
  for (const std::string& name : names) width = std::max(width, CharactersIn(Printable(name)));
  if (printing.terminal > 0) width = std::min(width, std::max<std::size_t>(8, printing.terminal / 3));
  fmt::print("\n");
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const SolutionReport& report = reports[i];
    std::string name = ShortenedInFront(Printable(names[i]), width);
    name.append(width - CharactersIn(name), ' ');
    if (!report.not_judged.empty()) {
      fmt::print("{}  -     not judged\n", name);
      continue;
    }
    const std::string code(Name(report.Worst()));
    const std::string tests = fmt::format("{:{}} {:>3}/{}", "", 5 - std::min<std::size_t>(5, code.size()), report.Accepted(), CountOf(package.tests.size(), "test"));
    std::vector<std::string> parts{fmt::format("{}  {}{}", name, PaintCode(report.Worst(), printing.colour), tests)};
    if (const std::string matrix = Matrix(package, report); reports.size() > 1 && !matrix.empty()) parts.push_back(matrix);
    if (!package.groups.empty()) parts.push_back(fmt::format("{:>6}/{}", FormatPoints(report.score ? report.score->points : 0), CountOfPoints(report.score ? report.score->most : ScoreOf(package.groups, std::vector<TestOutcome>(package.tests.size())).most)));
    if (std::string extremes = Extremes(package, report); !extremes.empty()) parts.push_back(std::move(extremes));
    fmt::print("{}\n", WrappedText(Flowed(parts, width + 2 + code.size() + tests.size(), printing.terminal), printing.terminal));
  }
}

std::vector<std::string> NamesOf(const std::vector<std::string>& files) {
  const auto last_parts = [](const std::filesystem::path& path, std::size_t parts) {
    const std::vector<std::filesystem::path> all(path.begin(), path.end());
    std::filesystem::path name;
    for (std::size_t i = all.size() - std::min(parts, all.size()); i < all.size(); ++i) name /= all[i];
    return name.string();
  };
  std::vector<std::string> names, paths;
  for (const std::string& file : files) {
    const std::filesystem::path path(file), name = path.filename();
    paths.push_back(name.empty() || name == "." || name == ".." ? std::filesystem::weakly_canonical(path).string() : file);
  }
  for (const std::string& file : paths) {
    const auto is_alike = [&](std::size_t parts) {
      return std::any_of(paths.begin(), paths.end(), [&](const std::string& other) { return other != file && last_parts(other, parts) == last_parts(file, parts); });
    };
    std::size_t parts = 1;
    while (parts < 16 && is_alike(parts)) ++parts;
    names.push_back(last_parts(file, parts));
  }
  return names;
}

}  // namespace tally
