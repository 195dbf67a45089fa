// What `tally judge` and `tally verify` print of solutions: each test's row, and one line for each solution with its matrix.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "jobs/judging.h"
#include "packages/package.h"

namespace tally {

struct SolutionPrinting {
  bool only_failures = false;  // rows of tests that are right say nothing where there are many solutions
  bool colour = false;
  std::size_t terminal = 0;  // its columns; 0: it is none
};

// A folder's own name, whatever it was called by: ".".
std::string FolderName(const std::string& path);

// Its title, or else its folder's name.
std::string TitleOf(const Package& package);

// For people: "1,003 ms", of what slept or hung "2,013 ms real"; "65.0 MiB". "-" where it was not measured.
std::string ShownTime(const TestReport& test);
std::string ShownMemory(const TestReport& test);

// Where none is, there is no column of instructions.
bool AnyIsCounted(const std::vector<TestReport>& tests);

// "isolation: full (root, other uid); memory: resident, limited by cgroup-v2; time: CPU time, user and system"; "" of what was not run.
std::string MeansOf(const SolutionReport& report);

// "Sum: 7 tests, 1.00 s of user time (1.25 s with system calls), 64.0 MiB (limits: tally.yml)".
void PrintPackageHead(const Package& package, const ExecOptions& exec, const SolutionPrinting& printing);

// What the package has and is not read, and what its readers warn of.
void PrintWarnings(const Package& package);

void PrintSolution(const Package& package, const SolutionReport& report, const std::string& name, const SolutionPrinting& printing);

// A line for each solution: its verdict, how many tests are right, a letter for each, points, the slowest and the largest.
void PrintTotals(const Package& package, const std::vector<SolutionReport>& reports, const std::vector<std::string>& names, const SolutionPrinting& printing);

// What each file is called: its name, with as many of its folders as tell it from the others.
std::vector<std::string> NamesOf(const std::vector<std::string>& files);

}  // namespace tally
