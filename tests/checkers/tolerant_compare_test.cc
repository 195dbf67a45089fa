// Kattis' default comparison: what is the same, and where it is not.
#include "checkers/tolerant_compare.h"

#include <string>

#include "checkers/wording.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

std::string Compared(std::string_view expected, std::string_view got, const TolerantRules& rules = {}) {
  return Describe(CompareTolerantly(expected, got, rules), {});
}

TEST_CASE("tolerant compare: case and white space do not matter, words do", "[tolerant]") {
  for (const char* got : {"Yes 12\n", "yes\n\n12", "  YES\t12  \n\n"}) {
    CAPTURE(got);
    CHECK(Compared("Yes 12\n", got) == "OK");
  }
  CHECK(Compared("", " \n") == "OK");
  CHECK(Compared("Yes 12\n", "Yes 13\n") == "WRONG: line 1: expected \"12\", got \"13\"");
  CHECK(Compared("a\nb\nc\n", "a b d") == "WRONG: line 3: expected \"c\", got \"d\"");
  CHECK(Compared("a b\n", "a\n") == "WRONG: line 1: expected \"b\", got end of file");
  CHECK(Compared("a\n", "a\nb\n") == "WRONG: line 2: expected end of file, got \"b\"");
  CHECK(Compared("1.0\n", "1\n") == "WRONG: line 1: expected \"1.0\", got \"1\"");
}

TEST_CASE("tolerant compare: case and white space matter where the package says so", "[tolerant]") {
  CHECK(Compared("Yes\n", "yes\n", {.case_sensitive = true}) != "OK");
  CHECK(Compared("Yes\n", "Yes", {.case_sensitive = true}) == "OK");
  const TolerantRules rules{.space_change_sensitive = true};
  CHECK(Compared("a b\n", "A b\n", rules) == "OK");
  CHECK(Compared("a b\n", "a  b\n", rules) != "OK");
  CHECK(Compared("a b\n", "a b", rules) != "OK");
  CHECK(Compared("a b\n", "\na b\n", rules) != "OK");
}

TEST_CASE("tolerant compare: numbers may differ by either tolerance, other words may not", "[tolerant]") {
  const TolerantRules absolute{.absolute_tolerance = 1e-3};
  CHECK(Compared("3.1416", "3.1420", absolute) == "OK");
  CHECK(Compared("3.1416", "3.1436", absolute) != "OK");
  CHECK(Compared("1", "1.0000", absolute) == "OK");
  CHECK(Compared("1", "+1", absolute) == "OK");
  CHECK(Compared("1e3", "1000", absolute) == "OK");
  CHECK(Compared("1", "one", absolute) != "OK");
  CHECK(Compared("1", "1x", absolute) != "OK");
  CHECK(Compared("1", "nan", absolute) != "OK");
  CHECK(Compared("Yes", "yes", absolute) == "OK");
  const TolerantRules relative{.relative_tolerance = 1e-3};
  CHECK(Compared("1000000", "1000900", relative) == "OK");
  CHECK(Compared("1000000", "1001100", relative) != "OK");
  CHECK(Compared("0", "0.0000001", relative) != "OK");
  CHECK(Compared("inf", "5", relative) != "OK");
  CHECK(Compared("inf", "Inf", relative) == "OK");
  CHECK(Compared("5", "inf", relative) != "OK");
  CHECK(Compared("nan", "5", relative) != "OK");
  CHECK(Compared("0", "0.0000001", {.absolute_tolerance = 1e-6, .relative_tolerance = 1e-9}) == "OK");
}

}  // namespace
}  // namespace tally
