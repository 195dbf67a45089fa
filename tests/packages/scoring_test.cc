// What groups of tests earn, and which tests need not be run any more.
#include "packages/scoring.h"

#include "tests/support/catch.h"

namespace tally {
namespace {

constexpr TestOutcome kRight{true, 1}, kWrong{false, 0}, kHalf{true, 0.5};

TEST_CASE("scoring: a group by its least test is all or nothing", "[scoring]") {
  const std::vector<TestGroup> groups{{.name = "1", .tests = {0, 1}, .points = 40}, {.name = "2", .tests = {2}, .points = 60}};
  const Score score = ScoreOf(groups, {kRight, kWrong, kRight});
  CHECK(score.groups == std::vector<double>{0, 60});
  CHECK(score.points == 60);
  CHECK(score.most == 100);
  CHECK(ScoreOf(groups, {kRight, kRight, kRight}).points == 100);
}

TEST_CASE("scoring: partial answers count by the group's rule", "[scoring]") {
  TestGroup group{.name = "1", .tests = {0, 1}, .points = 40, .rule = GroupRule::kLeast};
  const std::vector<TestOutcome> halves{kHalf, kHalf};
  CHECK(ScoreOf({group}, {kRight, kHalf}).points == 20);
  group.rule = GroupRule::kProduct;
  CHECK(ScoreOf({group}, halves).points == 10);
  group.rule = GroupRule::kSum;
  CHECK(ScoreOf({group}, {kRight, kWrong}).points == 20);
  group.test_points = {30, 10};
  CHECK(ScoreOf({group}, {kRight, kWrong}).points == 30);
  CHECK(ScoreOf({group}, halves).points == 20);
}

TEST_CASE("scoring: a threshold is all or nothing, and what is nothing is below every one", "[scoring]") {
  TestGroup group{.name = "1", .tests = {0, 1}, .points = 40, .rule = GroupRule::kThreshold};
  group.threshold = 0.5;
  CHECK(ScoreOf({group}, {kHalf, kHalf}).points == 40);
  CHECK(ScoreOf({group}, {kHalf, kRight}).points == 0);
  CHECK(ScoreOf({group}, {kHalf, kWrong}).points == 0);
}

TEST_CASE("scoring: a group whose needs are not met earns nothing; a partial answer meets them", "[scoring]") {
  const std::vector<TestGroup> groups{{.name = "0", .tests = {0}}, {.name = "1", .tests = {1}, .points = 100, .needs = {0}}};
  CHECK(ScoreOf(groups, {kWrong, kRight}).points == 0);
  CHECK(ScoreOf(groups, {kHalf, kRight}).points == 100);
}

TEST_CASE("scoring: a bonus is more than all points", "[scoring]") {
  CHECK(ScoreOf({{.name = "1", .tests = {0}, .points = 10}}, {{true, 1.5}}).points == 15);
}

TEST_CASE("scoring: the olympiad's rule falls from half of the limit to a hundredth", "[scoring]") {
  constexpr Nanoseconds kLimit = Milliseconds(1000);
  CHECK(ShareAfterTime(1, Milliseconds(0), kLimit) == 1);
  CHECK(ShareAfterTime(1, Milliseconds(500), kLimit) == 1);
  CHECK(ShareAfterTime(1, Milliseconds(750), kLimit) == 0.505);
  CHECK(FormatPoints(100 * ShareAfterTime(1, Milliseconds(1000), kLimit)) == "1");
  CHECK(ShareAfterTime(0, Milliseconds(900), kLimit) == 0);
}

TEST_CASE("scoring: points are written with as few digits as say them", "[scoring]") {
  CHECK(FormatPoints(20) == "20");
  CHECK(FormatPoints(0) == "0");
  CHECK(FormatPoints(200.0 / 3 * 3 / 100) == "2");
  CHECK(FormatPoints(20.0 / 3) == "6.6667");
}

TEST_CASE("short circuit: a group that stops ends at its first failure, and with it those that need it", "[scoring]") {
  const std::vector<TestGroup> groups{{.name = "1", .tests = {0, 1}, .stops = true},
                                      {.name = "2", .tests = {2, 3}, .needs = {0}, .stops = true},
                                      {.name = "3", .tests = {4, 5}}};
  ShortCircuit failures(groups, 6, false);
  CHECK_FALSE(failures.Because(1));
  failures.Failed(0);
  CHECK(failures.Because(1) == 0u);
  CHECK(failures.Because(2) == 0u);
  failures.Failed(4);
  CHECK_FALSE(failures.Because(5));
}

TEST_CASE("short circuit: only tests before a test count, in whatever order they end", "[scoring]") {
  const std::vector<TestGroup> groups{{.name = "1", .tests = {0, 1, 2}, .stops = true}};
  ShortCircuit failures(groups, 3, false);
  failures.Failed(2);
  CHECK_FALSE(failures.Because(1));
  failures.Failed(1);
  CHECK(failures.Because(2) == 1u);
}

TEST_CASE("short circuit: where one failure ends everything, groups do not matter", "[scoring]") {
  const std::vector<TestGroup> none;
  ShortCircuit failures(none, 3, true);
  failures.Failed(1);
  CHECK_FALSE(failures.Because(0));
  CHECK(failures.Because(2) == 1u);
}

TEST_CASE("short circuit: a group may end everything", "[scoring]") {
  const std::vector<TestGroup> groups{{.name = "1", .tests = {0}}, {.name = "2", .tests = {1}, .ends_all = true}, {.name = "3", .tests = {2}}};
  ShortCircuit failures(groups, 3, false);
  failures.Failed(0);
  CHECK_FALSE(failures.Because(1));
  failures.Failed(1);
  CHECK(failures.Because(2) == 1u);
}

TEST_CASE("scoring: a group without tests earns nothing", "[scoring]") {
  CHECK(ScoreOf({{.name = "1", .points = 50}}, {}).points == 0);
}

}  // namespace
}  // namespace tally
