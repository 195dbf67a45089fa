// Judging: solutions against a package of tests. Compile once, run and check every test, one after the other or
// on several processors, and report. The command line prints it; the JSON report keeps it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "jobs/checking.h"
#include "jobs/compilation.h"
#include "jobs/judge_observer.h"
#include "jobs/solution_files.h"
#include "jobs/tool.h"
#include "packages/package.h"
#include "supervisor/api/run_result.h"

namespace tally {

struct TestReport {
  std::string test;
  std::string not_run;                // why it was not: the test that failed before it. Then there is nothing else
  ResultCode code = ResultCode::kSe;
  std::string sentence;
  double percentage = 0;
  std::string last_words;             // of stderr, where the program failed; what the program wrote, byte for byte
  std::optional<std::uint64_t> time_ms, memory_kib, instructions, syscalls;  // absent: not measured
  std::optional<Nanoseconds> cpu_time, real_time;  // user and system together; absent: not run
  bool virtual_time = false;          // judged by it: time_ms
  bool is_late = false;               // TLE by real time: it slept, hung, or waited
  std::string memory_metric, isolation;  // by what means
  std::string json;  // all result keys, as an exec job writes them

  // For people: of a TLE the time that was too long, otherwise virtual time or CPU time, which is exact where user time follows the clock's ticks.
  [[nodiscard]] std::optional<Nanoseconds> ShownTime() const;
};

struct SolutionReport {
  std::string file;
  CompileResult compilation;
  std::vector<TestReport> tests;  // in the package's order; empty after CE
  std::optional<Score> score;     // where the package has groups with points
  std::string not_judged;         // why it could not be: no such file, no compiler for it. Then there is nothing else
  [[nodiscard]] ResultCode Worst() const;  // OK, or the first code that is not
  [[nodiscard]] std::size_t Accepted() const;
};

// Where neither the package nor the options say any.
inline constexpr Bytes kDefaultJudgingMemory = Bytes::MiB(256);

struct JudgeOptions {
  std::optional<Nanoseconds> time;    // over the package's
  std::optional<Bytes> memory;
  std::string compiler;               // "" by extension
  std::vector<MoreFile> more_sources, more_files;  // beside each solution (compilation.h)
  std::optional<Nanoseconds> compile_wall;  // over the compiler's
  // Wall time of all tests of a solution: the one that runs then, and those that would begin later, are TLE.
  std::optional<Nanoseconds> all_tests;
  bool virtual_time = false;
  unsigned workers = 1;
  bool stop_on_fail = false;          // after a test that is not right its group is not run on, or without groups nothing is
  bool run_all = false;               // whatever failed, and whatever the package says
  std::string transcripts;            // the folder for what interactive programs say; "": it is not kept
  bool pin_workers = true;            // each to its own share of the processors, where there are enough
  Isolation isolation = Isolation::kFull;
  JudgeObserver* observer = nullptr;  // outlives the judging
};

struct WorkerFiles;
class SolutionPrograms;

// What is going on, for a progress bar: how many tests are done, and the name of the last.
using Progress = std::function<void(std::size_t done, const std::string& test)>;

// UserError when a solution or a checker cannot be used; a test's own failures are in its report (SE).
class Judging {
 public:
  Judging(const Package& package, const JudgeOptions& options);
  SolutionReport Judge(const std::string& solution, const Progress& progress);
  // The same; what is done until it throws is in the report.
  void JudgeInto(const std::string& solution, const Progress& progress, SolutionReport* report);
  // What an output is worth, without a run.
  [[nodiscard]] CheckerVerdict Check(const PackageTest& test, const std::string& output) const;
  [[nodiscard]] const ExecOptions& limits() const { return exec_; }

 private:
  CompileResult CompileSolution(const SolutionFiles& files, const TemporaryDirectory& directory);
  void RunTests(const std::string& solution, const Progress& progress, SolutionReport* report);
  // In its place, where the outputs are handed in.
  void CheckOutputs(const std::string& folder, const Progress& progress, SolutionReport* report);
  [[nodiscard]] std::vector<TestReport> NoneRunYet() const;
  [[nodiscard]] ExecOptions ExecFor(const PackageTest& test) const;
  [[nodiscard]] std::vector<WorkerFiles> FilesForWorkers(const std::string& solution, const TemporaryDirectory& directory) const;
  void AddPeers(std::vector<WorkerFiles>* files, SolutionPrograms* programs, const TemporaryDirectory& directory) const;
  void LeaveOut(std::vector<TestReport>* tests) const;
  [[nodiscard]] Nanoseconds LongestWall() const;
  [[nodiscard]] Score ScoreOfTests(const std::vector<TestReport>& tests) const;
  [[nodiscard]] ShortCircuit StartShortCircuit() const;

  const Package& package_;
  JudgeOptions options_;
  std::string extension_;  // of the solution in hand
  ExecOptions exec_;
  CheckOptions check_;
  std::vector<TestGroup> groups_;  // the package's, as the options have them
  std::optional<Tool> checker_, interactor_;
  std::size_t first_test_ = 0;  // of the solution in hand, among the tests of all of them
};

// The whole report as JSON text.
std::string ReportJson(const Package& package, const std::vector<SolutionReport>& reports);

}  // namespace tally
