// `tally judge DIR SOLUTION...`: tests from a directory, a table for people, a JSON report for machines.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/processors.h"
#include "cli/commands.h"
#include "cli/option_values.h"
#include "cli/terminal.h"
#include "jobs/exec_options.h"
#include "jobs/judging.h"
#include "jobs/metrics_observer.h"
#include "supervisor/run/process_executor.h"

namespace tally {
namespace {

struct JudgeArguments {
  std::string directory;
  std::vector<std::string> solutions;
  std::optional<std::string> time, memory;
  std::string compiler, isolation = "full", report = "tally-report.json", metrics;
  bool virtual_time = false, pin = false;
  unsigned workers = 1;
};

std::string Shorten(std::string text, std::size_t most) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.size() <= most) return text;
  text.resize(most - 3);
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
  std::size_t shown = 0, start = 0;
  while (start < output.size() && shown < kLines) {
    const std::size_t end = std::min(output.find('\n', start), output.size());
    fmt::print("    {}\n", output.substr(start, end - start));
    start = end + 1;
    ++shown;
  }
  if (start < output.size()) fmt::print("    ...\n");
}

void PrintTests(const SolutionReport& report, bool colour) {
  const bool counted =
      std::any_of(report.tests.begin(), report.tests.end(), [](const TestReport& t) { return t.instructions; });
  std::size_t width = 4;
  for (const TestReport& test : report.tests) width = std::max(width, test.test.size());
  const std::string head = fmt::format("  {:<{}}  {:<5} {:>10} {:>12}{}  {}", "test", width, "", "time", "memory",
                                       counted ? fmt::format(" {:>18}", "instructions") : "", "");
  fmt::print("{}\n", Dim(head, colour));
  for (const TestReport& test : report.tests) {
    const std::string instructions = counted ? fmt::format(" {:>18}", Optional(test.instructions, "")) : "";
    const std::string comment = test.code == ResultCode::kOk && test.sentence == "ok" ? "" : Shorten(test.sentence, 90);
    fmt::print("  {:<{}}  {} {:>10} {:>12}{}  {}\n", test.test, width, CodeCell(test.code, colour),
               Optional(test.time_ms, "ms"), Optional(test.memory_kib, "kB"), instructions, comment);
  }
}

// What each is called: its file's name, with as many of its folders as tell it from the others.
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

void PrintSolution(const SolutionReport& report, const std::string& name, bool colour) {
  const std::string language = report.compilation.language.empty() ? "" : " (" + report.compilation.language + ")";
  fmt::print("\n{}{}\n", Bold(name, colour), language);
  if (!report.compilation.ok) {
    fmt::print("  {}  {}\n", PaintCode(ResultCode::kCe, colour), report.compilation.sentence);
    PrintCompilerOutput(report.compilation.output);
    return;
  }
  PrintTests(report, colour);
}

void PrintTotals(const std::vector<SolutionReport>& reports, const std::vector<std::string>& names, std::size_t tests, bool colour) {
  std::size_t width = 8;
  for (const std::string& name : names) width = std::max(width, name.size());
  fmt::print("\n");
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const SolutionReport& report = reports[i];
    if (!report.not_judged.empty()) {
      fmt::print("{:<{}}  -     not judged\n", names[i], width);
      continue;
    }
    std::uint64_t slowest = 0, largest = 0;
    for (const TestReport& test : report.tests) {
      slowest = std::max(slowest, test.time_ms.value_or(0));
      largest = std::max(largest, test.memory_kib.value_or(0));
    }
    fmt::print("{:<{}}  {} {:>3}/{} tests", names[i], width, CodeCell(report.Worst(), colour), report.Accepted(), tests);
    if (!report.tests.empty()) fmt::print("   slowest {} ms, largest {} kB", FormatCount(slowest), FormatCount(largest));
    fmt::print("\n");
  }
}

void PrintHead(const Package& package, const ExecOptions& exec, bool colour) {
  const std::string title = package.title.empty() ? package.directory : package.title;
  const std::string time = exec.kind == ExecKind::kVcpuExec
                               ? FormatDuration(VirtualTime(*exec.limits.instructions)) + " of virtual time"
                               : FormatDuration(*exec.limits.user_time);
  fmt::print("{}: {} tests, {}, {} (limits: {})\n", Bold(title, colour), package.tests.size(), time,
             FormatBytes(*exec.limits.memory), package.limits_from);
}

// A package is not judged by half in silence.
void WarnOfWhatIsNotRead(const Package& package) {
  for (const std::string& warning : package.warnings) fmt::print(stderr, "tally: warning: {}\n", warning);
  if (package.not_read.empty()) return;
  constexpr std::size_t kShown = 4;
  std::string names;
  for (std::size_t i = 0; i < std::min(kShown, package.not_read.size()); ++i) names += (i == 0 ? "" : ", ") + package.not_read[i];
  if (package.not_read.size() > kShown) names += fmt::format(" and {} more", package.not_read.size() - kShown);
  fmt::print(stderr, "tally: warning: {}: {} of its files look like tests or settings and are not read: {}\n", package.directory, package.not_read.size(), names);
}

std::size_t NotJudged(const std::vector<SolutionReport>& reports) {
  std::size_t count = 0;
  for (const SolutionReport& report : reports) {
    count += static_cast<std::size_t>(std::count_if(report.tests.begin(), report.tests.end(), [](const TestReport& test) { return test.code == ResultCode::kSe; }));
  }
  return count;
}

// One that cannot be judged is told of, and is not the end of the others.
SolutionReport JudgeOne(Judging* judging, const std::string& solution, const Progress& progress) {
  try {
    return judging->Judge(solution, progress);
  } catch (const UserError& mistake) {
    SolutionReport report;
    report.file = solution;
    const std::string why = mistake.what();
    report.not_judged = why.find(solution) == std::string::npos ? solution + ": " + why : why;
    return report;
  }
}

int JudgeAll(const JudgeArguments& a) {
  const Package package = ReadPackage(a.directory);
  JudgeOptions options;
  options.time = Given("--time", a.time, ParseTimeLimit);
  options.memory = Given("--memory", a.memory, ParseKibibytes);
  options.compiler = a.compiler;
  options.virtual_time = a.virtual_time;
  options.workers = a.workers;
  options.pin_workers = a.pin;
  if (const std::size_t processors = OwnProcessors().size(); a.pin && a.workers > processors) {
    throw UserError(fmt::format("--pin: {} workers are more than the {} processors here", a.workers, processors));
  }
  options.isolation = ParseIsolation("--isolation", a.isolation);
  // First of all: it finds the mistakes in its file, and what it samples begins with the first compilation.
  std::optional<MetricsChannel> metrics;
  if (!a.metrics.empty()) {
    ProcessExecutor().cgroups().Find();  // the agent comes along
    metrics.emplace(a.metrics);
  }
  std::optional<MetricsObserver> observer;
  if (metrics) options.observer = &observer.emplace(&*metrics);
  Judging judging(package, options);
  const bool colour = WantsColour(STDOUT_FILENO);
  WarnOfWhatIsNotRead(package);
  PrintHead(package, judging.limits(), colour);
  const std::vector<std::string> names = NamesOf(a.solutions);
  std::vector<SolutionReport> reports;
  for (std::size_t i = 0; i < a.solutions.size(); ++i) {
    const ProgressBar bar(package.tests.size(), names[i]);
    reports.push_back(JudgeOne(&judging, a.solutions[i], [&bar](std::size_t done, const std::string& test) { bar.Show(done, test); }));
    bar.Clear();
    if (reports.back().not_judged.empty()) PrintSolution(reports.back(), names[i], colour);
    std::fflush(stdout);
    if (!reports.back().not_judged.empty()) Complain("tally: " + reports.back().not_judged);
  }
  if (metrics) {
    if (const std::optional<std::string> trouble = metrics->End()) fmt::print(stderr, "tally: {}\n", *trouble);
  }
  PrintTotals(reports, names, package.tests.size(), colour);
  if (!a.report.empty()) {
    WriteFileAtomically(a.report, ReportJson(package, reports), "--report");
    fmt::print("{}\n", Dim("report: " + a.report, colour));
  }
  const std::size_t failures = NotJudged(reports);
  const bool has_mistakes = std::any_of(reports.begin(), reports.end(), [](const SolutionReport& report) { return !report.not_judged.empty(); });
  if (failures == 0) return has_mistakes ? kExitUserError : kExitJobRan;
  fmt::print(stderr, "tally: failure: {} of the tests could not be judged (SE)\n", failures);
  return kExitSystemError;
}

constexpr const char* kFooter =
    "DIR holds in/NAME.in and out/NAME.out, or NAME.in beside NAME.out, or is a package of Kattis' or Polygon's;\n"
    "limits come from tally.yml, sinol's config.yml, problem.xml or problem.yaml there. A solution is a source, by\n"
    "its extension, or an executable. Examples:\n"
    "  tally judge examples/sum examples/sum/solutions/right.cpp\n"
    "  tally judge -j 4 --time 2s problem/ *.cpp *.py\n"
    "  tally judge --virtual problem/ tiny.c       time by counting instructions";

}  // namespace

void AddJudgeCommand(CommandLine* line) {
  Command command = line->Add("judge", "Judge solutions against a directory of tests");
  auto a = std::make_shared<JudgeArguments>();
  command.Footer(kFooter);
  command.Option("directory", a->directory, "The tests").Required();
  command.Option("solutions", a->solutions, "Sources or executables").Required();
  command.Option("-t,--time", a->time, "Time limit (1s, 500ms), over the one in DIR");
  command.Option("-m,--memory", a->memory, "Memory limit (64M), over the one in DIR");
  command.Option("-c,--compiler", a->compiler, "Compiler by name, for all solutions (see tally check-host)");
  command.Option("-j,--workers", a->workers, "Tests at one time (default 1: times are steadier)").Within(1u, 256u);
  command.Flag("--pin", a->pin, "Divide the processors among the workers: steadier times, and programs see their worker's share");
  command.Option("--report", a->report, "Where the JSON report goes (default tally-report.json; \"\" for none)");
  command.Option("--metrics", a->metrics, "Sample this machine meanwhile, as this YAML file says (docs/metrics.md)");
  command.Option("--isolation", a->isolation, "reduced is without namespaces; auto: full where it can be had").OneOf("full|reduced|auto");
  command.Flag("--virtual", a->virtual_time, "Time by counting instructions (vcpu-exec)");
  command.Does([a] { return JudgeAll(*a); });
}

}  // namespace tally
