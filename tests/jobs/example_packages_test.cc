// The shipped packages: one problem in every format comes to one table, and each is what its setter says.
#include <algorithm>
#include <filesystem>
#include <map>

#include "jobs/judging.h"
#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/job_sources.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"
#include "verify/checker.h"
#include "verify/inputs.h"
#include "verify/package_files.h"
#include "verify/submissions.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

std::string Packages() { return SourceFolder() + "/examples/packages/"; }

// Verdict, points and a letter for each test.
std::string Row(const SolutionReport& report) {
  std::string row = std::string(Name(report.Worst())) + " ";
  for (const TestReport& test : report.tests) row += test.not_run.empty() ? Name(test.code).front() : '-';
  return row + " " + (report.score ? FormatPoints(report.score->points) : "no points");
}

TEST_CASE("packages: the same problem in every format comes to the same table", "[judging][packages]") {
  if (const auto why = WhyAbsent("cpp20")) TALLY_SKIP(*why);
  const std::map<std::string, std::string> table{{"right.cpp", "OK OOOOO 100"}, {"overflow.cpp", "WA OOOWW 30"}, {"slow.cpp", "TLE OOOTT 30"}, {"table.cpp", "RE OOORR 30"}};
  for (const auto& [solution, row] : table) {
    const TemporaryDirectory directory;  // compiled once for all of them
    const std::string source = Packages() + "tally/divisors/solutions/" + solution;
    const CompileResult compiled = Compile({.source = source, .source_name = source}, directory);
    REQUIRE(compiled.ok);
    for (const char* format : {"kattis", "polygon", "sinol", "cms", "dmoj", "tally"}) {
      CAPTURE(format, solution);
      const Package package = ReadPackage(Packages() + format + "/divisors");
      CHECK(Row(Judging(package, {.time = Milliseconds(200), .run_all = true}).Judge(compiled.program, [](std::size_t, const std::string&) {})) == row);
    }
  }
}

TEST_CASE("packages: the same interactive problem in every format comes to the same table", "[judging][packages][interactive]") {
  if (const auto why = WhyAbsent("cpp20")) TALLY_SKIP(*why);
  const std::map<std::string, std::vector<std::string>> solutions{
      {"kattis", {"submissions/accepted/right.cpp", "submissions/wrong_answer/linear.cpp", "submissions/run_time_error/crash.cpp"}},
      {"polygon", {"solutions/right.cpp", "solutions/linear.cpp", "solutions/crash.cpp"}},
      {"sinol", {"prog/gue.cpp", "prog/gueb1.cpp", "prog/gueb2.cpp"}},
      {"cms", {"sol/solution.cpp", "sol/linear.cpp", "sol/crash.cpp"}},
      {"dmoj", {"solutions/right.cpp", "solutions/linear.cpp", "solutions/crash.cpp"}},
      {"tally", {"solutions/right.cpp", "solutions/linear.cpp", "solutions/crash.cpp"}}};
  for (const auto& [format, files] : solutions) {
    const Package package = ReadPackage(Packages() + format + "/guess");
    Judging judging(package, {.run_all = true});
    const std::string rows[] = {"OK OOOO", "WA OWWW", "RE RRRR"};
    for (std::size_t i = 0; i < files.size(); ++i) {
      CAPTURE(format, files[i]);
      const std::string row = Row(judging.Judge(package.directory + "/" + files[i], [](std::size_t, const std::string&) {}));
      CHECK(row.substr(0, rows[i].size()) == rows[i]);
    }
  }
}

void NoWord(const std::string&) {}

TEST_CASE("packages: what verify looks at without judging is sound in each", "[judging][packages]") {
  if (const auto why = WhyAbsent("cpp20")) TALLY_SKIP(*why);
  for (const auto& format : fs::directory_iterator(Packages())) {
    if (!format.is_directory()) continue;
    for (const auto& folder : fs::directory_iterator(format.path())) {
      CAPTURE(folder.path().string());
      const Package package = ReadPackage(folder.path());
      const Judging judging(package, {});
      for (const Section& section : {VerifyFiles(package), VerifyInputs(package, Isolation::kFull, NoWord), VerifyBrokenInputs(package, Isolation::kFull, NoWord),
                                     VerifyGenerators(package, Isolation::kFull, NoWord), VerifyChecker(package, judging, NoWord)}) {
        CAPTURE(section.name);
        CHECK(section.problems == std::vector<std::string>());
      }
    }
  }
}

TEST_CASE("packages: each submission gets what its setter promises, and a promise that is broken is told", "[judging][packages]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  Package package = ReadPackage(Packages() + "kattis/split");
  Judging judging(package, {.run_all = true});
  std::vector<SolutionReport> reports;
  for (const Submission& submission : package.submissions) reports.push_back(judging.Judge(submission.path, [](std::size_t, const std::string&) {}));
  const Section sound = VerifySubmissions(package, reports);
  CHECK(sound.problems == std::vector<std::string>());
  CHECK(sound.summary == "5 of 5 get what is promised of them");
  std::swap(package.submissions.front().expected, package.submissions.back().expected);
  const std::vector<std::string> problems = VerifySubmissions(package, reports).problems;
  REQUIRE(problems.size() == 2);
  CHECK(problems[0] == "submissions/accepted/largest.py: no test is WA, which wrong_answer promises");
  CHECK(problems[1].starts_with("submissions/wrong_answer/one.cpp: it is WA, where accepted permits OK (test sample/1: "));
}

}  // namespace
}  // namespace tally
