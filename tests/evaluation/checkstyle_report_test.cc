// Checkstyle's report, read.
#include "evaluation/checkstyle_report.h"

#include "base/error.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

constexpr const char* kReport = R"(<?xml version="1.0" encoding="UTF-8"?>
<checkstyle version="8.36.1">
<file name="/box/solution/de/example/Date.java">
<error line="4" column="23" severity="error" message="Name &apos;Add&apos; must match pattern &apos;^[a-z]&apos;." source="com.puppycrawl.tools.checkstyle.checks.naming.MethodNameCheck"/>
<error line="7" severity="warning" message="Line is longer than 100 characters (found 181)." source="com.puppycrawl.tools.checkstyle.checks.sizes.LineLengthCheck"/>
</file>
<file name="/box/include/Given.java"><error line="1" severity="error" message="not theirs" source="x.YCheck"/></file>
</checkstyle>)";

TEST_CASE("style: Checkstyle's errors have file, line, column and rule") {
  const std::vector<StyleError> errors = ReadCheckstyle(kReport, "/box/solution");
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].file == "de/example/Date.java");
  CHECK(errors[0].line == 4);
  CHECK(errors[0].column == 23);
  CHECK(errors[0].severity == "error");
  CHECK(errors[0].message == "Name 'Add' must match pattern '^[a-z]'.");
  CHECK(errors[0].rule == "MethodName");
  CHECK(errors[1].column == 0);
  CHECK(errors[1].rule == "LineLength");
}

TEST_CASE("style: a report of Checkstyle that is none is said so") {
  CHECK_THROWS_AS(ReadCheckstyle("Checkstyle ends with 1 errors.", "/box/solution"), UserError);
  CHECK_THROWS_AS(ReadCheckstyle("<checkstyle><file", "/box/solution"), UserError);
}

}  // namespace
}  // namespace tally
