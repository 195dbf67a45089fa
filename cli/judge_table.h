// What `tally judge` and `tally verify` print of solutions: each test's row, and one line for each solution with its matrix.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "jobs/judging.h"
#include "packages/package.h"

namespace tally {

// "Sum: 7 tests, 1.00 s, 64.0 MiB (limits: tally.yml)".
void PrintPackageHead(const Package& package, const ExecOptions& exec, bool colour);

// What the package has and is not read, and what its readers warn of.
void PrintWarnings(const Package& package);

struct SolutionPrinting {
  bool only_failures = false;  // rows of tests that are right say nothing where there are many solutions
  bool colour = false;
};
void PrintSolution(const Package& package, const SolutionReport& report, const std::string& name, const SolutionPrinting& printing);

// A line for each solution: its verdict, how many tests are right, a letter for each, points, the slowest and the largest.
void PrintTotals(const Package& package, const std::vector<SolutionReport>& reports, const std::vector<std::string>& names, bool colour);

// What each file is called: its name, with as many of its folders as tell it from the others.
std::vector<std::string> NamesOf(const std::vector<std::string>& files);

}  // namespace tally
