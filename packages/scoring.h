// What a solution earns: groups of tests, each worth points. Pure.
//
// A test's share is the part of its points that an answer earns: 1 for a right one, 0 where the solution failed, what a checker said in
// between, more for a bonus. A group's share is made of those of its tests by its rule; it earns its points times that. A group that
// needs another earns nothing unless all tests of the other were right. docs/packages.md has what each format's points become.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace tally {

enum class GroupRule : std::uint8_t {
  kLeast,    // the smallest share of its tests: all or nothing where there are no partial answers
  kProduct,  // of all their shares
  kSum,      // each test earns its own part
  kThreshold,  // all or nothing: the share of each test is above 0, and `threshold` at most (CMS, GroupThreshold)
};

struct TestGroup {
  std::string name;
  std::vector<std::size_t> tests;   // indexes, in order; a test is in one group at most
  std::vector<double> test_points;  // kSum: beside `tests`; empty: equal parts of `points`
  double points = 0;                // for full shares
  GroupRule rule = GroupRule::kLeast;
  double threshold = 1;             // kThreshold
  std::vector<std::size_t> needs;   // indexes of groups
  bool stops = false;               // after its first test that is not right its others are not run
  bool ends_all = false;            // after its first test that is not right nothing is run
};

// One test's, after it was run or was not.
struct TestOutcome {
  bool right = false;
  double share = 0;
};

struct Score {
  double points = 0;
  double most = 0;             // with full shares
  std::vector<double> groups;  // beside the groups
};

// `outcomes` beside the package's tests.
Score ScoreOf(const std::vector<TestGroup>& groups, const std::vector<TestOutcome>& outcomes);

// The Polish olympiad's rule: the full share up to half of the limit, then falling in a line, to a hundredth at the limit.
// Source: sinol-make's documentation of `sinol_contest_type: oi`.
double ShareAfterTime(double share, Nanoseconds time, Nanoseconds limit);

// Which tests need not be run any more. What it says depends on the tests before a test alone, so any number of workers comes to the same.
class ShortCircuit {
 public:
  // `all`: one failure ends everything; else a group's failure ends everything, or the group and those that need it, where the group says so.
  // `groups` must live as long.
  ShortCircuit(const std::vector<TestGroup>& groups, std::size_t tests, bool all);
  ShortCircuit(std::vector<TestGroup>&& groups, std::size_t tests, bool all) = delete;
  void Failed(std::size_t test);
  // The test because of which `test` is not run.
  [[nodiscard]] std::optional<std::size_t> Because(std::size_t test) const;

 private:
  const std::vector<TestGroup>& groups_;
  std::vector<std::size_t> group_of_;       // by test; none: groups_.size()
  std::vector<std::size_t> first_failure_;  // by group, and behind them of what ends everything; none: the number of tests
  bool all_;
};

// "20", "6.6667": as few digits as say it, four behind the point at most.
std::string FormatPoints(double points);
// "1 point", "2.5 points".
std::string CountOfPoints(double points);

}  // namespace tally
