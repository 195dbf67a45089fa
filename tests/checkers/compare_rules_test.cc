// The built-in comparisons by name: what each lets pass, and where it finds the first difference.
#include "checkers/compare_rules.h"

#include <string>

#include "checkers/wording.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

using Kind = CompareRules::Kind;

bool AreSame(Kind kind, std::string_view a, std::string_view b) { return !CompareBy({kind}, a, b); }
std::string Difference(Kind kind, std::string_view a, std::string_view b) { return Describe(CompareBy({kind}, a, b), Wording{}); }

TEST_CASE("compare: lines forgive white space at their ends and empty lines at the end", "[compare]") {
  CHECK(AreSame(Kind::kLines, "a b\nc\n", "a b  \r\nc\n\n \n"));
  CHECK(AreSame(Kind::kLines, "", " \n"));
  CHECK_FALSE(AreSame(Kind::kLines, "a b", "a  b"));
  CHECK_FALSE(AreSame(Kind::kLines, "a\nb", "a\n\nb"));
  CHECK_FALSE(AreSame(Kind::kLines, "a", " a"));
  CHECK(Difference(Kind::kLines, "a\nb\n", "a\nc\n") == "WRONG: line 2: expected \"b\", got \"c\"");
  CHECK(Difference(Kind::kLines, "a\nb\n", "a\n") == "WRONG: line 2: expected \"b\", got end of file");
}

TEST_CASE("compare: bytes forgive nothing", "[compare]") {
  CHECK(AreSame(Kind::kBytes, "a\n", "a\n"));
  CHECK_FALSE(AreSame(Kind::kBytes, "a\n", "a"));
  CHECK_FALSE(AreSame(Kind::kBytes, "a\n", "a\r\n"));
  CHECK(Difference(Kind::kBytes, "one\ntwo\n", "one\ntxo\n") == "WRONG: line 2: expected \"wo\", got \"xo\"");
  CHECK(Difference(Kind::kBytes, "a\n", "a") == "WRONG: line 1: expected \"<0x0A>\", got end of file");
}

TEST_CASE("compare: words in any order", "[compare]") {
  CHECK(AreSame(Kind::kUnorderedWords, "1 2\n3 3", "3\n2 3 1\n"));
  CHECK_FALSE(AreSame(Kind::kUnorderedWords, "1 2 3 3", "1 2 2 3"));
  CHECK_FALSE(AreSame(Kind::kUnorderedWords, "1", "1 1"));
}

TEST_CASE("compare: lines in any order", "[compare]") {
  CHECK(AreSame(Kind::kUnorderedLines, "b c\na\n", "a \n\nb c\n"));
  CHECK_FALSE(AreSame(Kind::kUnorderedLines, "b c\na\n", "c b\na\n"));
  CHECK(Difference(Kind::kUnorderedLines, "b\na\n", "a\nc\n") == "WRONG: line 2: expected \"b\", got \"c\"");
}

TEST_CASE("compare: testlib's checkers by name", "[compare]") {
  CHECK(TestlibCompare("std::wcmp.cpp") == kSameWords);
  CHECK(TestlibCompare("std::ncmp.cpp") == kSameWords);
  CHECK(TestlibCompare("std::rcmp9.cpp")->tolerant.absolute_tolerance == 1e-9);
  CHECK_FALSE(TestlibCompare("std::nyesno.cpp")->tolerant.case_sensitive);
  CHECK(TestlibCompare("std::lcmp.cpp")->kind == Kind::kTokens);
  CHECK_FALSE(TestlibCompare("std::fcmp.cpp"));  // its spaces at line ends matter; its source knows
  CHECK_FALSE(TestlibCompare("check.cpp"));
  CHECK_FALSE(TestlibCompare("std::"));
  CHECK_FALSE(CompareBy(*TestlibCompare("std::rcmp6.cpp"), "1.0 2", "1.0000005\n2"));
  CHECK(CompareBy(*TestlibCompare("std::rcmp6.cpp"), "1.0", "1.00001"));
  CHECK_FALSE(CompareBy(*TestlibCompare("std::yesno.cpp"), "YES", "yes\n"));
}

TEST_CASE("compare: no byte past the end is read", "[compare]") {
  for (const Kind kind : {Kind::kLines, Kind::kBytes, Kind::kUnorderedWords, Kind::kUnorderedLines}) {
    CHECK(AreSame(kind, "", ""));
    CHECK_FALSE(AreSame(kind, "a", ""));
    CHECK_FALSE(AreSame(kind, "", "a"));
  }
}

}  // namespace
}  // namespace tally
