// sinol's packages: groups by names, scores, limits of groups and languages, programs by their names, and every mistake with its place.
#include <algorithm>

#include "packages/package.h"
#include "tests/support/catch.h"
#include "tests/support/package_mistake.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

struct SinolFolder : ScratchFolder {
  explicit SinolFolder(const std::string& config = "title: Sumy\ntime_limit: 500\nmemory_limit: 65536\n") {
    Write("config.yml", config);
    for (const char* name : {"abc0a", "abc1a", "abc1b", "abc1ocen", "abc2a", "abc10a"}) {
      Write(std::string("in/") + name + ".in", "");
      Write(std::string("out/") + name + ".out", "");
    }
  }
  [[nodiscard]] Package Read() const { return ReadPackage(path()); }
};

std::string MistakeIn(const std::string& config) { return PackageMistake(SinolFolder(config).path()); }

std::string GroupsOf(const Package& package) {
  std::string out;
  for (const TestGroup& group : package.groups) {
    out += group.name + "=" + FormatPoints(group.points) + ":";
    for (const std::size_t test : group.tests) out += package.tests[test].name + " ";
  }
  return out;
}

TEST_CASE("sinol: groups come from the tests' names, examples are group 0, and a hundred points are divided", "[package]") {
  CHECK(GroupsOf(SinolFolder().Read()) == "0=0:abc0a abc1ocen 1=33:abc1a abc1b 2=33:abc2a 10=34:abc10a ");
}

TEST_CASE("sinol: scores and dependencies", "[package]") {
  const Package package = SinolFolder("scores: {1: 20, 2: 30, 10: 50}\nsubtask_dependencies: {10: [1, 2]}\n").Read();
  CHECK(GroupsOf(package) == "0=0:abc0a abc1ocen 1=20:abc1a abc1b 2=30:abc2a 10=50:abc10a ");
  CHECK(package.groups[3].needs == std::vector<std::size_t>{1, 2});
  const SinolFolder seven("scores: {7: 100}\n");
  CHECK(seven.Read().warnings.front() == seven.path() + "/config.yml:1:9: scores: group 7 is worth 100 points and has no tests");
  CHECK(MistakeIn("subtask_dependencies: {1: [7]}\n") == "DIR/config.yml:1:23: subtask_dependencies: found 7; no test is of such a group");
  CHECK(MistakeIn("scores: {1: many}\n") == "DIR/config.yml:1:9: scores: found \"many\"; expected points");
}

TEST_CASE("sinol: the contest's type", "[package]") {
  CHECK(SinolFolder("sinol_contest_type: oi\n").Read().time_lowers_points);
  const Package icpc = SinolFolder("sinol_contest_type: icpc\n").Read();
  CHECK(icpc.ends_at_failure);
  CHECK(icpc.groups.empty());
  CHECK(MistakeIn("sinol_contest_type: ioi\n").starts_with("DIR/config.yml:1:21: sinol_contest_type: found \"ioi\""));
}

TEST_CASE("sinol: limits of groups, of tests over them, and of languages", "[package]") {
  const Package package = SinolFolder("time_limits: {1: 700, 1b: 900}\nmemory_limits: {2: 1024}\noverride_limits: {py: {time_limit: 3000}}\n").Read();
  const auto test = [&](const char* name) {
    return *std::find_if(package.tests.begin(), package.tests.end(), [&](const PackageTest& one) { return one.name == name; });
  };
  CHECK(test("abc1a").time == Milliseconds(700));
  CHECK(test("abc1b").time == Milliseconds(900));
  CHECK_FALSE(test("abc2a").time);
  CHECK(test("abc2a").memory == Bytes::KiB(1024));
  REQUIRE(package.language_limits.size() == 1);
  CHECK(package.language_limits[0].extension == "py");
  CHECK(package.language_limits[0].time == Milliseconds(3000));
  CHECK(package.limits_from == "config.yml");
}

TEST_CASE("sinol: programs are what their names say", "[package]") {
  const SinolFolder folder;
  for (const char* name : {"abc.cpp", "abc2.py", "abcs1.cpp", "abcb1_overflow.cpp", "abcingen.cpp", "abcinwer.cpp", "other.cpp"}) folder.Write(std::string("prog/") + name, "");
  folder.Write("prog/abcchk.cpp", "");
  const Package package = folder.Read();
  REQUIRE(package.submissions.size() == 4);
  CHECK(package.submissions[0].name == "prog/abc.cpp");
  CHECK(package.submissions[0].is_model);
  CHECK(package.submissions[0].expected->permitted == std::vector{ResultCode::kOk});
  CHECK(package.submissions[2].name == "prog/abcb1_overflow.cpp");
  CHECK(package.submissions[2].expected->permitted.empty());
  CHECK(package.submissions[3].expected->required.empty());  // slow, or right after all
  CHECK(package.checker == folder.path() + "/prog/abcchk.cpp");
}

TEST_CASE("sinol: expected scores, in their form of today and of before", "[package]") {
  const SinolFolder folder("sinol_expected_scores:\n  abc.cpp: {points: 100, expected: {1: {points: 33, status: OK}}}\n  abcb1.cpp: {points: 0, expected: {1: WA}}\n");
  folder.Write("prog/abc.cpp", "");
  folder.Write("prog/abcb1.cpp", "");
  const Package package = folder.Read();
  CHECK(package.submissions[0].expected->points == 100);
  CHECK(package.submissions[0].expected->group_points == std::vector<std::pair<std::string, double>>{{"1", 33}});
  CHECK(package.submissions[1].expected->points == 0);
}

TEST_CASE("sinol: tests whose names say no group give no points", "[package]") {
  const SinolFolder folder;
  folder.Write("in/abcx.in", "");
  folder.Write("out/abcx.out", "");
  CHECK(folder.Read().groups.empty());
  CHECK(folder.Read().warnings == std::vector<std::string>{folder.path() + "/in/abcx.in: its name says no group, as abc1a.in would: so no test has points"});
}

TEST_CASE("sinol: what has no points, or is not used, is told", "[package]") {
  const Package some = SinolFolder("title: x\nscores: {1: 40, 2: 60}\n").Read();
  REQUIRE(some.warnings.size() == 1);
  CHECK(some.warnings[0].ends_with("config.yml:2:9: scores: group 10 has tests, and no points"));
  const SinolFolder misspelt("title: x\nsinol_task_id: abd\n");
  misspelt.Write("prog/abcchk.cpp", "");
  CHECK(misspelt.Read().warnings.back() == misspelt.path() + "/prog/abcchk.cpp: its name does not begin with the task's, abd: it is not used");
  const SinolFolder shell;
  for (const char* tool : {"chk", "inwer", "ingen"}) shell.Write(std::string("prog/abc") + tool + ".sh", "");
  const Package package = shell.Read();
  CHECK(package.checker == shell.path() + "/prog/abcchk.sh");
  CHECK(package.input_validators.size() == 1);
  CHECK(package.warnings == std::vector<std::string>{shell.path() + "/prog/abcingen.sh: generators in shell, which run other programs, are not run"});
}

TEST_CASE("sinol: an unknown key is a mistake, or by request a warning", "[package]") {
  CHECK(MistakeIn("time_limt: 1\n").starts_with("DIR/config.yml:1:1: time_limt: unknown key (did you mean \"time_limit\"?)"));
  const SinolFolder folder("time_limt: 1\n");
  const Package lenient = ReadPackage(folder.path(), {.lenient = true});
  REQUIRE(lenient.warnings.size() == 1);
  CHECK(lenient.warnings[0].starts_with(folder.path() + "/config.yml:1:1: time_limt: unknown key"));
}

TEST_CASE("sinol: an interactive problem needs no answers, and has so many processes as it says", "[package]") {
  const SinolFolder folder("title: x\nnum_processes: 2\n");
  CHECK(PackageMistake(folder.path()) == "DIR/config.yml:2:16: num_processes: there is no interactor; expected prog/abcsoc.*");
  folder.Write("prog/abcsoc.cpp", "");
  folder.Write("in/abc99.in", "1\n");
  const Package package = ReadPackage(folder.path());
  REQUIRE(package.interactor);
  CHECK(package.interactor->processes == 2);
  CHECK(package.tests.back().answer == kNoAnswer);
}

TEST_CASE("sinol: groups that need each other are refused, and points are numbers as people write them", "[package]") {
  CHECK(MistakeIn("subtask_dependencies: {1: [2], 2: [1]}\n") == "DIR: group 1 needs itself, by way of what it needs");
  CHECK(MistakeIn("scores: {1: 0x10}\n") == "DIR/config.yml:1:9: scores: found \"0x10\"; expected points");
}

}  // namespace
}  // namespace tally
