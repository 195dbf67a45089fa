// Polygon's packages: what of problem.xml is read, and every mistake with its line.
#include <string>

#include "base/error.h"
#include "packages/package.h"
#include "tests/support/catch.h"
#include "tests/support/package_mistake.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

std::string Replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

constexpr const char* kProblem = R"(<?xml version="1.0" encoding="utf-8"?>
<problem revision="7" short-name="sum">
  <names><name language="russian" value="Suma"/><name language="english" value="Sum"/></names>
  <judging cpu-name="any" input-file="" output-file="" run-count="1">
    <testset name="tests">
      <time-limit>1500</time-limit>
      <memory-limit>268435456</memory-limit>
      <test-count>2</test-count>
      <input-path-pattern>tests/%02d</input-path-pattern>
      <answer-path-pattern>tests/%02d.a</answer-path-pattern>
      <tests><test method="manual" sample="true"/><test cmd="gen 5" method="generated"/></tests>
    </testset>
  </judging>
  <assets><checker name="std::wcmp.cpp" type="testlib"><source path="files/check.cpp" type="cpp.g++17"/></checker></assets>
</problem>
)";

struct PolygonFolder : ScratchFolder {
  explicit PolygonFolder(const std::string& problem = kProblem) {
    Write("problem.xml", problem);
    for (const char* file : {"tests/01", "tests/01.a", "tests/02", "tests/02.a", "files/check.cpp", "files/testlib.h"}) Write(file, "");
  }
  [[nodiscard]] Package Read() const { return ReadPackage(path()); }
  [[nodiscard]] std::string Mistake() const { return PackageMistake(path()); }
};

std::string MistakeWith(const std::string& what, const std::string& by) { return PolygonFolder(Replaced(kProblem, what, by)).Mistake(); }

TEST_CASE("polygon: the name, the limits, the tests and the checker", "[package]") {
  const PolygonFolder folder;
  const Package package = folder.Read();
  CHECK(package.title == "Sum");
  CHECK(package.time == Milliseconds(1500));
  CHECK(package.memory == Bytes::MiB(256));
  CHECK(package.limits_from == "problem.xml");
  REQUIRE(package.tests.size() == 2);
  CHECK(package.tests[1].name == "02");
  CHECK(package.tests[1].input == folder.path() + "/tests/02");
  CHECK(package.tests[1].answer == folder.path() + "/tests/02.a");
  CHECK_FALSE(package.checker);  // one of testlib's own, which is built in
  CHECK(package.tests[1].compare == kSameWords);
  CHECK(package.groups.empty());
  CHECK(package.not_read.empty());
}

TEST_CASE("polygon: what is known and not done is told with its line", "[package]") {
  const std::string own_tests = "<testset><tests><test verdict=\"valid\"/></tests></testset>";
  std::string problem = Replaced(kProblem, "run-count=\"1\"", "run-count=\"2\"");
  problem = Replaced(problem, "    <testset name=\"tests\">", "    <testset name=\"pretests\"/>\n    <testset name=\"tests\">");
  problem = Replaced(problem, "</checker>", own_tests + "</checker><validators><validator><source path=\"files/check.cpp\"/>" + own_tests + "</validator></validators>"
                     "<solutions><solution tag=\"main\"><source path=\"files/check.cpp\"/><extra-tags><extra-tag tag=\"rejected\" test=\"1\"/></extra-tags></solution></solutions>");
  std::string all;
  const PolygonFolder folder(problem);
  for (const std::string& warning : folder.Read().warnings) all += warning.substr(folder.path().size()) + "\n";
  CHECK(all == "/problem.xml:4: judging: run-count: a solution is run once for each test\n"
               "/problem.xml:5: testset: name=\"pretests\": these tests are not judged\n"
               "/problem.xml:15: extra-tags: what is expected of groups and tests is not looked at\n"
               "/problem.xml:15: testset: the tests of the validator itself are not run\n"
               "/problem.xml:15: testset: the tests of the checker itself are not run\n");
}

TEST_CASE("polygon: a checker of the problem's own is compiled", "[package]") {
  const PolygonFolder folder(Replaced(kProblem, "name=\"std::wcmp.cpp\"", "name=\"check.cpp\""));
  const Package package = folder.Read();
  CHECK(package.checker == folder.path() + "/files/check.cpp");
  CHECK(package.protocol == CheckerProtocol::kTestlib);
  CHECK_FALSE(package.tests[1].compare);
}

constexpr const char* kGroups = "<tests><test method=\"manual\" points=\"10.0\" group=\"0\"/><test cmd=\"gen 5\" points=\"90.0\" group=\"big\"/></tests>"
                                "<groups><group name=\"0\" points-policy=\"each-test\"/><group name=\"big\" points-policy=\"complete-group\">"
                                "<dependencies><dependency group=\"0\"/></dependencies></group></groups>";
std::string WithGroups() {
  const std::string problem = kProblem;
  const std::size_t begin = problem.find("<tests>"), end = problem.find("</tests>") + 8;
  return problem.substr(0, begin) + kGroups + problem.substr(end);
}

TEST_CASE("polygon: points of tests, policies and dependencies of groups", "[package]") {
  const Package package = PolygonFolder(WithGroups()).Read();
  REQUIRE(package.groups.size() == 2);
  CHECK(package.groups[0].rule == GroupRule::kSum);
  CHECK(package.groups[0].points == 10);
  CHECK(package.groups[1].rule == GroupRule::kLeast);
  CHECK(package.groups[1].points == 90);
  CHECK(package.groups[1].needs == std::vector<std::size_t>{0});
  CHECK(PolygonFolder(Replaced(WithGroups(), "group=\"0\"/></dep", "group=\"9\"/></dep")).Mistake() ==
        "DIR/problem.xml:11: dependency: group=\"9\"; no test is of such a group");
}

TEST_CASE("polygon: groups and tests that are told of and not there, and limits beyond all time, are mistakes", "[package]") {
  CHECK(PolygonFolder(Replaced(WithGroups(), "<groups>", "<groups><group name=\"ghost\" points=\"500\"/>")).Mistake().find("group: name=\"ghost\"; no test is of such a group") != std::string::npos);
  CHECK(PolygonFolder(Replaced(WithGroups(), "<tests>", "<tests><test points=\"1\"/>")).Mistake().find("tests: it lists 3 tests, and test-count is 2") != std::string::npos);
  CHECK(MistakeWith(">1500<", ">1099511627776<") == "DIR/problem.xml:6: time-limit: found 1099511627776; expected 1000000000 ms at most");
}

TEST_CASE("polygon: solutions by their tags", "[package]") {
  constexpr const char* kSolutions = "<assets><solutions><solution tag=\"main\"><source path=\"solutions/a.cpp\"/></solution>"
                                     "<solution tag=\"time-limit-exceeded-or-accepted\"><source path=\"solutions/b.py\"/></solution>"
                                     "<solution tag=\"do-not-run\"><source path=\"solutions/c.py\"/></solution></solutions>";
  const PolygonFolder folder(Replaced(kProblem, "<assets>", kSolutions));
  for (const char* file : {"solutions/a.cpp", "solutions/b.py"}) folder.Write(file, "");
  const Package package = folder.Read();
  REQUIRE(package.submissions.size() == 2);
  CHECK(package.submissions[0].is_model);
  CHECK(package.submissions[1].expected->permitted == std::vector{ResultCode::kOk, ResultCode::kTle});
  folder.Write("problem.xml", Replaced(Replaced(kProblem, "<assets>", kSolutions), "tag=\"main\"", "tag=\"best\""));
  CHECK(folder.Mistake().starts_with("DIR/problem.xml:14: solution: tag=\"best\"; expected main, accepted"));
}

TEST_CASE("polygon: files of the task's own, and interactors", "[package]") {
  CHECK(PolygonFolder(Replaced(kProblem, "input-file=\"\"", "input-file=\"sum.in\"")).Read().input_file == "sum.in");
  CHECK(MistakeWith("output-file=\"\"", "output-file=\"../x\"") == "DIR/problem.xml:4: judging: output-file=\"../x\"; expected a plain file name");
  CHECK(MistakeWith("<assets>", "<assets><interactor/>") == "DIR/problem.xml:14: interactor: expected a <source> in it");
  CHECK(PolygonFolder(Replaced(kProblem, "<assets>", "<assets><interactor><source path=\"files/check.cpp\"/></interactor>")).Read().interactor->protocol == CheckerProtocol::kTestlib);
}

TEST_CASE("polygon: a mistake has its line", "[package]") {
  CHECK(MistakeWith(">1500<", ">soon<") == "DIR/problem.xml:6: time-limit: found \"soon\"; expected a number above 0");
  CHECK(MistakeWith("tests/%02d<", "tests/%s<") == "DIR/problem.xml:9: input-path-pattern: found \"tests/%s\"; expected a path with one number, like tests/%02d");
  CHECK(MistakeWith("tests/%02d<", "tests/%d%d<").starts_with("DIR/problem.xml:9: input-path-pattern: found"));
  CHECK(MistakeWith("tests/%02d<", "../%02d<") == "DIR/problem.xml:9: input-path-pattern: found ../01; expected a file of the package");
  CHECK(MistakeWith(">2<", ">3<") ==
        "DIR/problem.xml:9: input-path-pattern: DIR/tests/03 is not there (a package whose tests were not made: run its doall.sh first)");
  CHECK(MistakeWith(">2<", ">99999999<") == "DIR/problem.xml:8: test-count: found 99999999; expected 10000 at most");
  CHECK(MistakeWith("type=\"testlib\"", "type=\"own\"") == "DIR/problem.xml:14: checker: type=\"own\"; expected testlib");
  CHECK(MistakeWith("<judging", "<judge").starts_with("DIR/problem.xml:"));
  CHECK(PolygonFolder("<other/>").Mistake() == "DIR/problem.xml:1: expected a <problem>");
  CHECK(PolygonFolder("<problem>").Mistake().starts_with("DIR/problem.xml:1: "));
}

}  // namespace
}  // namespace tally
