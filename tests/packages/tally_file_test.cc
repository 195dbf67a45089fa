// tally.yml: groups, what earns points, solutions and their verdicts, and every mistake with its place.
#include <sys/stat.h>
#include <unistd.h>

#include "packages/package.h"
#include "tests/support/catch.h"
#include "tests/support/package_mistake.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

struct OwnFolder : ScratchFolder {
  explicit OwnFolder(const std::string& file) {
    Write("tally.yml", file);
    for (const char* name : {"1a", "1b", "2a", "2b"}) {
      Write(std::string(name) + ".in", "");
      Write(std::string(name) + ".out", "");
    }
    for (const char* name : {"right.cpp", "wrong.cpp"}) Write(name, "");
  }
  [[nodiscard]] Package Read() const { return ReadPackage(path()); }
};

std::string MistakeIn(const std::string& file) { return PackageMistake(OwnFolder(file).path()); }

TEST_CASE("tally.yml: groups by names and patterns of tests", "[package]") {
  const Package package = OwnFolder(
      "groups:\n- {name: small, tests: \"1*\", points: 30}\n- {name: large, tests: [2b, 2a], points: 70, rule: sum, needs: [small], stops: yes}\n").Read();
  REQUIRE(package.groups.size() == 2);
  CHECK(package.groups[0].tests == std::vector<std::size_t>{0, 1});
  CHECK(package.groups[1].tests == std::vector<std::size_t>{2, 3});
  CHECK(package.groups[1].rule == GroupRule::kSum);
  CHECK(package.groups[1].needs == std::vector<std::size_t>{0});
  CHECK(package.groups[1].stops);
}

TEST_CASE("tally.yml: mistakes in groups have their place", "[package]") {
  CHECK(MistakeIn("groups:\n- {name: a, tests: 3}\n") == "DIR/tally.yml:2:20: groups.tests: found \"3\"; no test has such a name");
  CHECK(MistakeIn("groups:\n- {name: a, tests: 1a}\n- {name: a, tests: 1b}\n") == "DIR/tally.yml:3:10: groups.name: two groups are called a");
  CHECK(MistakeIn("groups:\n- {name: a, tests: 1a}\n- {name: b, tests: \"1*\"}\n") == "DIR/tally.yml:3:20: groups.tests: test 1a is in group a too");
  CHECK(MistakeIn("groups:\n- {name: a, tests: 1a, needs: [b]}\n") ==
        "DIR/tally.yml:2:32: groups.needs: found \"b\"; expected a group that stands before this one");
  CHECK(MistakeIn("groups:\n- {name: a, tests: 1a, points: -1}\n") == "DIR/tally.yml:2:32: groups.points: found \"-1\"; expected a number from 0 to 1e+06");
  CHECK(MistakeIn("groups:\n- {name: a, tests: 1a, point: 1}\n").find("unknown key (did you mean \"points\"?)") != std::string::npos);
}

TEST_CASE("tally.yml: scoring", "[package]") {
  CHECK(OwnFolder("scoring: icpc\n").Read().ends_at_failure);
  CHECK(OwnFolder("scoring: oi\ngroups:\n- {name: a, tests: 1a, points: 1}\n").Read().time_lowers_points);
  CHECK(MistakeIn("scoring: oi\n") == "DIR/tally.yml:1:10: scoring: oi gives points, and there are no groups");
  CHECK(MistakeIn("scoring: icpc\ngroups:\n- {name: a, tests: 1a}\n") == "DIR/tally.yml:3:1: groups: scoring: icpc knows no points");
}

TEST_CASE("tally.yml: submissions, their verdicts and the model", "[package]") {
  const OwnFolder folder("submissions: {right.cpp: OK, wrong.cpp: WA or TLE}\nmodel: right.cpp\n");
  const Package package = folder.Read();
  REQUIRE(package.submissions.size() == 2);
  CHECK(package.submissions[0].path == folder.path() + "/right.cpp");
  CHECK(package.submissions[0].is_model);
  CHECK(package.submissions[1].expected->required == std::vector{ResultCode::kWa, ResultCode::kTle});
  CHECK(OwnFolder("submissions: {wrong.cpp: fails}\n").Read().submissions[0].expected->permitted.empty());
  CHECK(MistakeIn("submissions: {gone.cpp: OK}\n") == "DIR/tally.yml:1:14: submissions: DIR/gone.cpp does not exist");
  CHECK(MistakeIn("submissions: {right.cpp: GOOD}\n").starts_with("DIR/tally.yml:1:14: submissions: right.cpp: found \"GOOD\"; expected OK, WA"));
  CHECK(MistakeIn("model: right.cpp\n") == "DIR/tally.yml:1:8: model: found \"right.cpp\"; expected one of the submissions");
}

TEST_CASE("tally.yml: a stranger's package names none of this machine's files", "[package]") {
  const OwnFolder folder("submissions: {../x.cpp: OK}\n");
  CHECK_THROWS_WITH(ReadPackage(folder.path(), {.from = PackageFrom::kStranger}), folder.path() + "/tally.yml:1:14: submissions: found ../x.cpp; expected a file of the package");
}

TEST_CASE("tally.yml: a group without tests, a file of two roles, and an interactor beside a checker are mistakes", "[package]") {
  CHECK(MistakeIn("groups:\n- {name: a, tests: []}\n") == "DIR/tally.yml:2:20: groups.tests: found no tests; expected a name, a pattern, or a list of them");
  CHECK(MistakeIn("input_file: x.txt\noutput_file: x.txt\n") == "DIR/tally.yml:2:14: output_file: it is the input's file");
  CHECK(MistakeIn("checker: right.cpp\ninteractor: wrong.cpp\ninteractor_protocol: kattis\n") == "DIR/tally.yml:1:10: checker: an interactor of Kattis' protocol leaves nothing for a checker");
}

TEST_CASE("tally.yml: what is no regular file is a mistake, not waited for", "[package]") {
  const OwnFolder folder("checker: pipe\n");
  REQUIRE(::mkfifo((folder.path() + "/pipe").c_str(), 0600) == 0);
  CHECK(PackageMistake(folder.path()) == "DIR/tally.yml:1:10: checker: DIR/pipe is no regular file");
  const OwnFolder answer("title: x\n");
  REQUIRE(::unlink((answer.path() + "/1a.out").c_str()) == 0);
  REQUIRE(::mkfifo((answer.path() + "/1a.out").c_str(), 0600) == 0);
  CHECK(PackageMistake(answer.path()) == "DIR/./1a.out: expected a regular file");
}

TEST_CASE("tally.yml: links in circles are the package's mistake", "[package]") {
  const OwnFolder folder("title: x\n");
  REQUIRE(::unlink((folder.path() + "/tally.yml").c_str()) == 0);
  REQUIRE(::symlink("tally.yml", (folder.path() + "/tally.yml").c_str()) == 0);
  CHECK(PackageMistake(folder.path()) == "DIR/tally.yml: Too many levels of symbolic links");
}

}  // namespace
}  // namespace tally
