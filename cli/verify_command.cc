// `tally verify DIR`: whether a problem's package is what its setter says.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/columns.h"
#include "base/error.h"
#include "base/json_output.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/judge_table.h"
#include "cli/terminal.h"
#include "jobs/exec_options.h"
#include "jobs/judging.h"
#include "verify/checker.h"
#include "verify/fix_time_limit.h"
#include "verify/inputs.h"
#include "verify/package_files.h"
#include "verify/submissions.h"
#include "verify/time_limit.h"

namespace tally {
namespace {

struct VerifyArguments {
  std::string directory, isolation = "full", json;
  unsigned workers = 1;
  bool lenient = false, no_counts = false, fix = false;
};

// How far above the limit instructions are counted: what is slower yet is so by far.
constexpr int kCountedTimes = 5;

class Verifying {
 public:
  Verifying(const Package& package, const VerifyArguments& arguments)
      : package_(package), arguments_(arguments), isolation_(ParseIsolation("--isolation", arguments.isolation)), json_(arguments.json), printing_{.colour = WantsColour(STDOUT_FILENO), .terminal = TerminalColumns(STDOUT_FILENO)} {}

  // How many problems there are.
  std::size_t Run() {
    JudgeOptions options;
    options.isolation = isolation_;
    options.workers = arguments_.workers;
    options.run_all = true;
    Judging judging(package_, options);
    if (is_printed()) {
      PrintPackageHead(package_, judging.limits(), printing_);
      fmt::print("\n");
    }
    const VerifyProgress progress = [this](const std::string& what) { status_.Show(what); };
    Show(VerifyFiles(package_));
    Show(VerifyInputs(package_, isolation_, progress));
    Show(VerifyBrokenInputs(package_, isolation_, progress));
    Show(VerifyGenerators(package_, isolation_, progress));
    Show(VerifyChecker(package_, judging, progress));
    const std::vector<SolutionReport> reports = JudgeAll(&judging, "judging");
    Show(VerifySubmissions(package_, reports));
    if (!arguments_.no_counts && !package_.submissions.empty()) VerifyCounts(options, judging.limits(), reports);
    std::vector<std::string> names;
    for (const Submission& submission : package_.submissions) names.push_back(submission.name);
    if (!reports.empty() && is_printed()) PrintMeans(reports);
    if (!reports.empty() && is_printed()) PrintTotals(package_, reports, names, printing_);
    if (is_printed()) Close();
    if (json_.wanted()) json_.Write(Json(reports));
    return problems_.size();
  }

 private:
  [[nodiscard]] bool is_printed() const { return !json_.to_stdout(); }

  void Show(const Section& section) {
    status_.Clear();
    sections_.push_back(section);
    problems_.insert(problems_.end(), section.problems.begin(), section.problems.end());
    if (!is_printed()) return;
    fmt::print("{}\n", Wrapped(fmt::format("{:<14} {}", section.name, Printable(section.summary)), printing_.terminal, 15));
    constexpr std::string_view kProblem = "  problem:";
    for (const std::string& problem : section.problems) {
      fmt::print("{}{}\n", Paint(kProblem, "1;31", printing_.colour), Wrapped(fmt::format("{} {}", kProblem, Printable(problem)), printing_.terminal, 4).substr(kProblem.size()));
    }
    for (const std::string& advice : section.advice) fmt::print("{}\n", Dim(Wrapped("  note: " + Printable(advice), printing_.terminal, 4), printing_.colour));
    std::fflush(stdout);
  }

  // As judge's table has it above its first line.
  void PrintMeans(const std::vector<SolutionReport>& reports) const {
    const auto told = std::find_if(reports.begin(), reports.end(), [](const SolutionReport& report) { return !MeansOf(report).empty(); });
    if (told != reports.end()) fmt::print("\n{}\n", Dim(Wrapped(MeansOf(*told), printing_.terminal, 2), printing_.colour));
  }

  std::vector<SolutionReport> JudgeAll(Judging* judging, const char* what) {
    std::vector<SolutionReport> reports;
    for (const Submission& submission : package_.submissions) {
      SolutionReport& report = reports.emplace_back();
      const ProgressBar bar(package_.tests.size(), fmt::format("{} {}", what, submission.name));
      status_.Clear();
      try {
        judging->JudgeInto(submission.path, [&bar](std::size_t done, const std::string& test) { bar.Show(done, test); }, &report);
      } catch (const UserError& mistake) {
        report = {};
        report.file = submission.path;
        report.not_judged = mistake.what();
      }
    }
    return reports;
  }

  void VerifyCounts(JudgeOptions options, const ExecOptions& limits, const std::vector<SolutionReport>& judged) {
    const Nanoseconds limit = limits.kind == ExecKind::kVcpuExec ? Nanoseconds(VirtualTime(*limits.limits.instructions)) : *limits.limits.user_time;
    options.virtual_time = true;
    options.time = limit * kCountedTimes;
    Judging counting(package_, options);
    const std::vector<SolutionReport> counted = JudgeAll(&counting, "counting");
    const TimeLimitFinding finding = VerifyTimeLimit(package_, limit, {judged, counted});
    Show(finding.section);
    if (!arguments_.fix) return;
    const std::string done = finding.better ? FixTimeLimit(package_, *finding.better) : "time limit: nothing to write: it is far enough from both sides, or nothing is that was seen";
    if (is_printed()) fmt::print("  {} {}\n", Paint("fixed:", finding.better ? "1;32" : "2", printing_.colour), done);

  }

  // What is printed, and of the submissions what `judge --json` has.
  [[nodiscard]] std::string Json(const std::vector<SolutionReport>& reports) const {
    nlohmann::json sections = nlohmann::json::array();
    for (const Section& section : sections_) {
      sections.push_back({{"section", section.name}, {"summary", section.summary}, {"problems", section.problems}, {"advice", section.advice}});
    }
    nlohmann::json out = nlohmann::json::parse(ReportJson(package_, reports));
    out["sections"] = std::move(sections);
    out["problems"] = problems_.size();
    return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }

  void Close() const {
    if (problems_.empty()) fmt::print("\n{}\n", Paint("no problems", "1;32", printing_.colour));
    else fmt::print("\n{}\n", Paint(CountOf(problems_.size(), "problem"), "1;31", printing_.colour));
  }

  const Package& package_;
  const VerifyArguments& arguments_;
  Isolation isolation_;
  JsonOutput json_;
  SolutionPrinting printing_;
  StatusLine status_;
  std::vector<Section> sections_;
  std::vector<std::string> problems_;
};

constexpr const char* kFooter =
    "Reads the package as judge does, runs its validators, generators and checker, judges its submissions against\n"
    "the verdicts that they promise, and says how far the time limit is from both sides, in instructions.\n"
    "Status 3 where there is a problem. Examples:\n"
    "  tally verify examples/packages/kattis/divisors\n"
    "  tally verify -j 4 --no-counts problem/     without the second run that counts instructions";

}  // namespace

void AddVerifyCommand(CommandLine* line) {
  Command command = line->Add("verify", "Check a problem's package: tests, validators, checker, submissions, time limit");
  auto a = std::make_shared<VerifyArguments>();
  command.Footer(kFooter);
  command.Option("directory", a->directory, "The package").Required();
  command.JsonOption(a->json, "What was found, and all verdicts,");
  command.Option("-j,--workers", a->workers, "Tests at one time (default 1: times are steadier)").Within(1u, 256u);
  command.Option("--isolation", a->isolation, "reduced is without namespaces; auto: full where it can be had").OneOf("full|reduced|auto");
  command.Flag("--lenient", a->lenient, "Keys that are not known in the package's files are warnings");
  command.Flag("--fix", a->fix, "Write a better time limit into the package, where there is one");
  command.Flag("--no-counts", a->no_counts, "Leave out the time limit by instructions");
  command.Does([a] {
    if (a->fix && a->no_counts) throw UserError("--fix: a better limit is found by counting, and --no-counts leaves that out");
    const Package package = ReadPackage(a->directory, {.lenient = a->lenient});
    return Verifying(package, *a).Run() == 0 ? kExitJobRan : kExitNotAsExpected;
  });
}

}  // namespace tally
