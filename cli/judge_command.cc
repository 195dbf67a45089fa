// `tally judge DIR SOLUTION...`: tests from a directory, a table for people, a JSON report for machines.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/columns.h"
#include "base/error.h"
#include "base/json_output.h"
#include "base/printable.h"
#include "base/processors.h"
#include "cli/commands.h"
#include "cli/judge_reports.h"
#include "cli/judge_table.h"
#include "cli/option_values.h"
#include "cli/terminal.h"
#include "jobs/exec_options.h"
#include "jobs/judging.h"
#include "jobs/metrics_observer.h"
#include "jobs/submitted_outputs.h"
#include "supervisor/run/process_executor.h"

namespace tally {
namespace {

struct JudgeArguments {
  std::string directory;
  std::vector<std::string> solutions;
  std::optional<std::string> time, memory;
  std::string compiler, isolation = "full", report, html, json, metrics, expect, transcript;
  bool virtual_time = false, pin = false, no_pin = false, stop_on_fail = false, lenient = false;
  unsigned workers = 1;
};

std::size_t NotJudged(const std::vector<SolutionReport>& reports) {
  std::size_t count = 0;
  for (const SolutionReport& report : reports) {
    count += static_cast<std::size_t>(std::count_if(report.tests.begin(), report.tests.end(), [](const TestReport& test) { return test.not_run.empty() && test.code == ResultCode::kSe; }));
  }
  return count;
}

// What is left of a batch beside what it prints: --json[=FILE], --html FILE, --report FILE. Their paths may be wrong, which nobody wants
// to hear at the end.
class ReportFiles {
 public:
  explicit ReportFiles(const JudgeArguments& a) : json(a.json), files_{{"--report", a.report}, {"--html", a.html}} {
    if (!a.report.empty()) RequireReportEnding(a.report);
    for (const auto& [option, path] : files_) {
      if (!path.empty()) AtomicFile(path, option);
    }
  }

  void Write(const Package& package, const std::vector<SolutionReport>& reports, const std::vector<std::string>& names) const {
    if (json.wanted()) json.Write(ReportJson(package, reports));
    for (const auto& [option, path] : files_) {
      if (path.empty()) continue;
      WriteFileAtomically(path, option == kHtml ? ReportPage(package, reports, names) : ReportFor(path, package, reports, names), option);
    }
  }

  // For who reads the table.
  [[nodiscard]] std::vector<std::string> Names() const {
    std::vector<std::string> names;
    if (json.wanted() && !json.to_stdout()) names.push_back(json.file());
    for (const auto& [option, path] : files_) {
      if (!path.empty()) names.push_back(path);
    }
    return names;
  }

  const JsonOutput json;

 private:
  static constexpr std::string_view kHtml = "--html";
  std::vector<std::pair<std::string, std::string>> files_;
};

// All solutions of one call. One that cannot be judged is told of, and is not the end of the others.
class Batch {
 public:
  // `has_table`: for people.
  Batch(const Package& package, Judging* judging, std::vector<std::string> solutions, bool has_table)
      : package_(package), judging_(*judging), solutions_(std::move(solutions)), names_(NamesOf(solutions_)), has_table_(has_table), printing_{solutions_.size() > 1, WantsColour(STDOUT_FILENO), TerminalColumns(STDOUT_FILENO)} {}

  void Run() {
    for (std::size_t i = 0; i < solutions_.size(); ++i) {
      SolutionReport& report = reports_.emplace_back();
      const ProgressBar bar(package_.tests.size(), names_[i]);
      try {
        judging_.JudgeInto(solutions_[i], [&bar](std::size_t done, const std::string& test) { bar.Show(done, test); }, &report);
      } catch (const Interrupted&) {
        // Half of its tests say nothing about it.
        report = {};
        report.file = solutions_[i];
        report.not_judged = solutions_[i] + ": interrupted";
        throw;
      } catch (const UserError& mistake) {
        report = {};
        report.file = solutions_[i];
        const std::string why = mistake.what();
        report.not_judged = why.find(solutions_[i]) == std::string::npos ? solutions_[i] + ": " + why : why;
      } catch (const std::filesystem::filesystem_error& error) {
        const int number = error.code().value();
        if (number != ELOOP && number != ENAMETOOLONG && number != EACCES) throw SystemError("read " + solutions_[i], number);
        report = {};
        report.file = solutions_[i];
        report.not_judged = fmt::format("{}: {}", solutions_[i].substr(0, 300), error.code().message());
      }
      bar.Clear();
      Show(report, names_[i]);
    }
  }

  // Of what there is, also where the judging was interrupted.
  void Close(const ReportFiles& files) {
    if (has_table_) PrintTotals(package_, reports_, names_, printing_);
    files.Write(package_, reports_, names_);
    for (const std::string& name : has_table_ ? files.Names() : std::vector<std::string>()) fmt::print("{}\n", Dim("report: " + name, printing_.colour));
    std::fflush(stdout);  // a signal that ends us takes what is not out
  }

  [[nodiscard]] const std::vector<SolutionReport>& reports() const { return reports_; }

 private:
  void Show(const SolutionReport& report, const std::string& name) {
    if (report.not_judged.empty() && has_table_) {
      PrintMeans(report);
      PrintSolution(package_, report, name, printing_);
    }
    std::fflush(stdout);
    if (!report.not_judged.empty()) Complain("tally: " + report.not_judged);
  }

  // Of the table's heading, which the first run tells; once more where another solution has others.
  void PrintMeans(const SolutionReport& report) {
    const std::string means = MeansOf(report);
    if (means.empty() || means == means_) return;
    fmt::print("{}{}\n", reports_.size() > 1 ? "\n" : "", Dim(Wrapped(means, printing_.terminal, 2), printing_.colour));
    means_ = means;
  }

  const Package& package_;
  Judging& judging_;
  std::vector<std::string> solutions_, names_;
  std::vector<SolutionReport> reports_;
  bool has_table_;
  SolutionPrinting printing_;
  std::string means_;
};

void TellOfLeftOut(const std::string& folder, const std::vector<std::string>& names) {
  if (names.empty()) return;
  constexpr std::size_t kMost = 10;
  std::string list;
  for (std::size_t i = 0; i < std::min(kMost, names.size()); ++i) list += (i == 0 ? "" : ", ") + Printable(names[i]);
  if (names.size() > kMost) list += fmt::format(" and {} more", names.size() - kMost);
  fmt::print(stderr, "tally: warning: {}: left out, for they are no sources of a language known here, no executables, and no folders with such: {}\n", Printable(FolderName(folder)), list);
}

// A folder of solutions is all of them.
std::vector<std::string> AllSolutions(const Package& package, const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const std::string& word : words) {
    const std::vector<std::string> solutions = package.output_only ? OutputFoldersAt(word, package) : SolutionsAt(word);
    TellOfLeftOut(word, LeftOut(word, solutions));
    out.insert(out.end(), solutions.begin(), solutions.end());
  }
  return out;
}

// Whoever asked for a verdict hears by the status that it is another.
int StatusOf(const std::vector<SolutionReport>& reports, const std::optional<ResultCode>& expected) {
  if (const std::size_t failures = NotJudged(reports); failures != 0) {
    fmt::print(stderr, "tally: failure: {} could not be judged (SE)\n", CountOf(failures, "test"));
    return kExitSystemError;
  }
  if (std::any_of(reports.begin(), reports.end(), [](const SolutionReport& report) { return !report.not_judged.empty(); })) return kExitUserError;
  const bool is_other = expected && std::any_of(reports.begin(), reports.end(), [&](const SolutionReport& report) { return report.Worst() != *expected; });
  return is_other ? kExitNotAsExpected : kExitJobRan;
}

JudgeOptions OptionsOf(const JudgeArguments& a) {
  JudgeOptions options;
  options.time = Given("--time", a.time, ParseTimeLimit);
  options.memory = Given("--memory", a.memory, ParseMemoryLimit);
  options.compiler = a.compiler;
  options.virtual_time = a.virtual_time;
  options.transcripts = a.transcript;
  options.workers = a.workers;
  options.pin_workers = !a.no_pin;
  options.stop_on_fail = a.stop_on_fail;
  if (const std::size_t processors = OwnProcessors().size(); a.pin && a.workers > processors) {
    throw UserError(fmt::format("--pin: {} are more than the {} here", CountOf(a.workers, "worker"), CountOf(processors, "processor")));
  }
  options.isolation = ParseIsolation("--isolation", a.isolation);
  return options;
}

int JudgeAll(const JudgeArguments& a) {
  const Package package = ReadPackage(a.directory, {.lenient = a.lenient});
  const std::vector<std::string> solutions = AllSolutions(package, a.solutions);
  JudgeOptions options = OptionsOf(a);
  const std::optional<ResultCode> expected = a.expect.empty() ? std::nullopt : ParseResultCode(a.expect);
  if (!a.expect.empty() && !expected) throw UserError(fmt::format("--expect: \"{}\" is no verdict; expected one of: OK, WA, TLE, MLE, OLE, RE, RV, CE", a.expect));
  const ReportFiles files(a);
  // First of all: it finds the mistakes in its file, and what it samples begins with the first compilation.
  std::optional<MetricsChannel> metrics;
  if (!a.metrics.empty()) {
    ProcessExecutor().cgroups().Find();  // the agent comes along
    metrics.emplace(a.metrics);
  }
  std::optional<MetricsObserver> observer;
  if (metrics) options.observer = &observer.emplace(&*metrics);
  Judging judging(package, options);
  PrintWarnings(package);
  const bool has_table = !files.json.to_stdout();
  if (has_table) PrintPackageHead(package, judging.limits(), {.colour = WantsColour(STDOUT_FILENO), .terminal = TerminalColumns(STDOUT_FILENO)});
  Batch batch(package, &judging, solutions, has_table);
  try {
    batch.Run();
  } catch (const Interrupted&) {
    batch.Close(files);
    throw;
  }
  if (metrics) {
    if (const std::optional<std::string> trouble = metrics->End()) fmt::print(stderr, "tally: {}\n", *trouble);
  }
  batch.Close(files);
  return StatusOf(batch.reports(), expected);
}

constexpr const char* kFooter =
    "DIR holds in/NAME.in and out/NAME.out, or NAME.in beside NAME.out, or is a package as Kattis, Polygon, sinol,\n"
    "CMS or DMOJ have it (docs/packages.md); tally.yml there goes over its limits. A solution is a source, by its\n"
    "extension, an executable, a folder with one program's sources, or a folder of solutions. Examples:\n"
    "  tally judge examples/sum examples/sum/solutions/right.cpp\n"
    "  tally judge -j 4 --time 2s problem/ *.cpp *.py\n"
    "  tally judge --virtual problem/ tiny.c       time by counting instructions";

}  // namespace

void AddJudgeCommand(CommandLine* line) {
  Command command = line->Add("judge", "Judge solutions against a directory of tests");
  auto a = std::make_shared<JudgeArguments>();
  command.Footer(kFooter);
  command.Option("directory", a->directory, "The tests").Required();
  command.Option("solutions", a->solutions, "Sources, executables, or folders of them").Required();
  command.Option("-t,--time", a->time, "Time limit (1s, 500ms), over the one in DIR");
  command.Option("-m,--memory", a->memory, "Memory limit (64M), over the one in DIR");
  command.Option("-c,--compiler", a->compiler, "Compiler by name, for all solutions (see tally check-host)").OneOf("COMPILER");
  command.Option("-j,--workers", a->workers, "Tests at one time (default 1: times are steadier)").Within(1u, 256u);
  command.Flag("--no-pin", a->no_pin, "Workers, where there are processors for all of them, do not divide these: programs see all of them, and judging is slower");
  command.Flag("--pin", a->pin, "Refuse more workers than there are processors");
  command.JsonOption(a->json, "Everything");
  command.Option("--html", a->html, "File for a page with the table of solutions by tests");
  command.Option("--report", a->report, "File for the report, by its ending: .json has everything, .csv a row for each test, .xml is JUnit's, .html a page");
  command.Option("--transcript", a->transcript, "Folder for what both sides of an interactive problem said, a file for each test");
  command.Option("--metrics", a->metrics, "Sample this machine meanwhile, as this YAML file says (docs/metrics.md)");
  command.Option("--isolation", a->isolation, "reduced is without namespaces; auto: full where it can be had").OneOf("full|reduced|auto");
  command.Flag("--stop-on-fail", a->stop_on_fail, "After a test that fails, leave out the others of its group, or without groups all others");
  command.Option("--expect", a->expect, "The verdict that every solution should get; status 3 where one gets another").OneOf("OK|WA|TLE|MLE|OLE|RE|RV|CE");
  command.Flag("--lenient", a->lenient, "Keys that are not known in the package's files are warnings");
  command.Flag("--virtual", a->virtual_time, "Time by counting instructions (vcpu-exec)");
  command.Does([a] { return JudgeAll(*a); });
}

}  // namespace tally
