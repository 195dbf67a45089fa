// What compilers' relatives print: style checkers' lines and XML, and gcov's JSON.
#include <string>

#include "base/error.h"
#include "evaluation/coverage_report.h"
#include "evaluation/style_report.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

std::string Told(const std::vector<StyleError>& errors) {
  std::string text;
  for (const StyleError& e : errors) {
    text += e.file + "|" + std::to_string(e.line) + "|" + std::to_string(e.column) + "|" + e.severity + "|" + e.rule + "|" + e.message + "\n";
  }
  return text;
}

std::string Lines(const std::string& text) { return Told(ReadStyleReport("lines", text, "/box/solution")); }

TEST_CASE("lines of clang-tidy: a severity in front, the rule behind; notes and source lines are left out") {
  CHECK(Lines("/box/solution/a.c:3:7: warning: variable 'x' is not used [bugprone-unused,cert-x]\n"
              "  int x = 3;\n"
              "      ^\n"
              "/box/solution/a.c:1:1: note: declared here\n"
              "/usr/include/stdio.h:3:7: warning: not ours [rule]\n"
              "2 warnings generated.\n") == "a.c|3|7|warning|bugprone-unused,cert-x|variable 'x' is not used\n");
}

TEST_CASE("lines of flake8 and pylint: the rule is a code in front of the message") {
  CHECK(Lines("/box/solution/de/a.py:1:80: E501 line too long (81 > 79 characters)\n"
              "/box/solution/a.py:2:0: W0611: Unused import os (unused-import)\n"
              "************* Module a\n") ==
        "de/a.py|1|80||E501|line too long (81 > 79 characters)\n"
        "a.py|2|0||W0611|Unused import os (unused-import)\n");
}

TEST_CASE("lines without a column, and messages with colons and brackets") {
  CHECK(Lines("/box/solution/a.c:3: error: expected a[1] here: no\n") == "a.c|3|0|error||expected a[1] here: no\n");
  CHECK(Lines("/box/solution/a:b.c:3: x\n") == "a:b.c|3|0|||x\n");
  CHECK(Lines("/box/solutions/a.c:3: x\n") == "");
  CHECK(Lines("") == "");
  CHECK(Lines(":::\n/box/solution/a.c:99999999999: x\n") == "");
}

TEST_CASE("cppcheck's XML: the first place of each mistake, in the solution") {
  const std::string xml = R"(<?xml version="1.0" encoding="UTF-8"?><results version="2"><cppcheck version="2.10"/><errors>
    <error id="uninitvar" severity="error" msg="Uninitialized variable: x" verbose="v">
      <location file="/box/solution/a.c" line="1" column="38"/><location file="/box/solution/b.c" line="9" column="2"/></error>
    <error id="missingInclude" severity="information" msg="m"/>
    <error id="other" severity="style" msg="m"><location file="/box/include/x.h" line="1" column="1"/></error>
  </errors></results>)";
  CHECK(Told(ReadStyleReport("cppcheck", xml, "/box/solution")) == "a.c|1|38|error|uninitvar|Uninitialized variable: x\n");
  CHECK_THROWS_AS(ReadStyleReport("cppcheck", "cppcheck: error", "/box/solution"), UserError);
}

constexpr const char* kObject = R"({"gcc_version": "12.2.0", "files": [
  {"file": "/box/solution/a.c", "functions": [], "lines": [
    {"line_number": 2, "count": 3, "unexecuted_block": false, "function_name": "f", "branches": [
      {"fallthrough": true, "count": 3, "throw": false}, {"fallthrough": false, "count": 0, "throw": false},
      {"fallthrough": false, "count": 0, "throw": true}]},
    {"line_number": 3, "count": 0, "unexecuted_block": true, "function_name": "f", "branches": []}]},
  {"file": "/usr/include/c++/12/vector", "functions": [], "lines": []}]})";

std::string Gcov(std::string text) {
  for (char& c : text) c = c == '\n' ? ' ' : c;
  return text + "\n";
}

TEST_CASE("gcov's JSON: lines and branches of the solution's files; a branch that is a throw is none") {
  const std::vector<FileCoverage> files = ReadCoverageReport("gcov", Gcov(kObject), {"a.c", "unused.h"});
  REQUIRE(files.size() == 1);
  CHECK(files[0].path == "a.c");
  CHECK(files[0].lines.covered == 1);
  CHECK(files[0].lines.total == 2);
  CHECK(files[0].missed_lines == std::vector<std::uint32_t>{3});
  REQUIRE(files[0].branches);
  CHECK(files[0].branches->covered == 1);
  CHECK(files[0].branches->total == 2);
}

TEST_CASE("gcov: a line that is in several objects or instances is executed when one of them is") {
  const std::string other = R"({"files": [{"file": "/box/solution/a.c", "lines": [
    {"line_number": 3, "count": 1, "branches": []}, {"line_number": 2, "count": 1, "branches": [
      {"count": 0, "throw": false}, {"count": 1, "throw": false}]}]}]})";
  const std::vector<FileCoverage> files = ReadCoverageReport("gcov", Gcov(kObject) + Gcov(other), {"a.c"});
  REQUIRE(files.size() == 1);
  CHECK(files[0].lines.covered == 2);
  CHECK(files[0].lines.total == 2);
  CHECK(files[0].branches->covered == 2);
}

TEST_CASE("gcov: what is no such JSON is said") {
  CHECK_THROWS_AS(ReadCoverageReport("gcov", "gcov: no\n", {}), UserError);
  CHECK_THROWS_AS(ReadCoverageReport("gcov", "{\"files\": [{}]}\n", {}), UserError);
  CHECK(ReadCoverageReport("gcov", "", {"a.c"}).empty());
}

}  // namespace
}  // namespace tally
