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
  CHECK(package.checker == folder.path() + "/files/check.cpp");
  CHECK(package.protocol == CheckerProtocol::kTestlib);
  CHECK(package.not_read.empty());
}

TEST_CASE("polygon: what is not judged is refused with its line", "[package]") {
  CHECK(MistakeWith("input-file=\"\"", "input-file=\"sum.in\"") ==
        "DIR/problem.xml:4: judging: input-file=\"sum.in\": programs that read and write files of their own are not judged here yet");
  CHECK(MistakeWith("<assets>", "<assets><interactor/>") == "DIR/problem.xml:14: interactor: interactive problems are not judged here yet");
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
