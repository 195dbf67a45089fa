// The two XML reports of coverage, read.
#include "evaluation/xml_coverage.h"

#include "base/error.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

constexpr const char* kCobertura = R"xml(<?xml version="1.0" ?>
<coverage version="6.5.0" lines-valid="4" lines-covered="3" line-rate="0.75">
  <sources><source>/box/solution</source></sources>
  <packages><package name="." line-rate="0.75"><classes>
    <class name="date.py" filename="date.py" complexity="0" line-rate="0.75" branch-rate="0.5">
      <methods/>
      <lines>
        <line number="1" hits="1"/>
        <line number="2" hits="1" branch="true" condition-coverage="50% (1/2)" missing-branches="4"/>
        <line number="3" hits="1"/>
        <line number="4" hits="0"/>
      </lines>
    </class>
    <class name="__init__.py" filename="empty/__init__.py" complexity="0"><methods/><lines/></class>
  </classes></package></packages>
</coverage>)xml";

constexpr const char* kJacoco = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">
<report name="solution">
  <package name="de/example">
    <class name="de/example/Date" sourcefilename="Date.java"><method name="add" line="4"/></class>
    <sourcefile name="Date.java">
      <line nr="3" mi="3" ci="0" mb="0" cb="0"/>
      <line nr="4" mi="1" ci="4" mb="1" cb="3"/>
      <counter type="LINE" missed="1" covered="1"/>
    </sourcefile>
  </package>
  <package name=""><sourcefile name="Main.java"><line nr="1" mi="0" ci="2" mb="0" cb="0"/></sourcefile></package>
</report>)xml";

TEST_CASE("coverage: Cobertura's lines and branches are counted by file") {
  const std::vector<FileCoverage> files = ReadCobertura(kCobertura);
  REQUIRE(files.size() == 2);
  CHECK(files[0].path == "date.py");
  CHECK(files[0].lines.covered == 3);
  CHECK(files[0].lines.total == 4);
  CHECK(files[0].branches->covered == 1);
  CHECK(files[0].branches->total == 2);
  CHECK(files[0].missed_lines == std::vector<std::uint32_t>{4});
  CHECK(files[1].path == "empty/__init__.py");
  CHECK(files[1].lines.total == 0);
}

TEST_CASE("coverage: JaCoCo's files are named by package, and a line is covered when a part of it was executed") {
  const std::vector<FileCoverage> files = ReadJacoco(kJacoco);
  REQUIRE(files.size() == 2);
  CHECK(files[0].path == "de/example/Date.java");
  CHECK(files[0].lines.covered == 1);
  CHECK(files[0].lines.total == 2);
  CHECK(files[0].branches->covered == 3);
  CHECK(files[0].branches->total == 4);
  CHECK(files[0].missed_lines == std::vector<std::uint32_t>{3});
  CHECK(files[1].path == "Main.java");
}

TEST_CASE("coverage: a report that is cut off, or another one, is said so") {
  CHECK_THROWS_AS(ReadCobertura(std::string(kCobertura).substr(0, 300)), UserError);
  CHECK_THROWS_AS(ReadCobertura(kJacoco), UserError);
  CHECK_THROWS_AS(ReadJacoco(""), UserError);
}

}  // namespace
}  // namespace tally
