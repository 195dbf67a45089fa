#include "checkers/percentage.h"

#include <string>

#include "tests/support/catch.h"

namespace tally {
namespace {

TEST_CASE("percentage: decimals and fractions are exact", "[percentage]") {
  CHECK(ParsePercentage("42") == Percentage{42, 1});
  CHECK(ParsePercentage("42.") == Percentage{42, 1});
  CHECK(ParsePercentage("42.5") == Percentage{85, 2});
  CHECK(ParsePercentage(".5") == Percentage{1, 2});
  CHECK(ParsePercentage("42.123") == Percentage{42123, 1000});
  CHECK(ParsePercentage("1e1") == Percentage{10, 1});
  CHECK(ParsePercentage("1E+2") == Percentage{100, 1});
  CHECK(ParsePercentage("425e-1") == Percentage{85, 2});
  CHECK(ParsePercentage("0.0001e6") == Percentage{100, 1});
  CHECK(ParsePercentage("7/42") == Percentage{1, 6});
  CHECK(ParsePercentage("200/3") == Percentage{200, 3});
  CHECK(ParsePercentage("+8") == Percentage{8, 1});
  CHECK(ParsePercentage(" \t80\r") == Percentage{80, 1});
  CHECK(ParsePercentage("0") == kNoPoints);
  CHECK(ParsePercentage("0/5") == kNoPoints);
  CHECK(ParsePercentage("0e9999") == kNoPoints);
  CHECK(ParsePercentage("1e-9999") == kNoPoints);
  CHECK(ParsePercentage("100") == kAllPoints);
  CHECK(ParsePercentage("0000000000000000000000100.0000") == kAllPoints);
  CHECK(ParsePercentage("300/3") == kAllPoints);
  CHECK(ParsePercentage("42.5")->value() == 42.5);
}

TEST_CASE("percentage: digits beyond the fifteenth behind the point are dropped", "[percentage]") {
  CHECK(ParsePercentage("33." + std::string(1000, '3')) ==
        Percentage{33'333'333'333'333'333, 1'000'000'000'000'000});
}

TEST_CASE("percentage: what is none, or not within 0 and 1000, is refused", "[percentage]") {
  for (const char* text : {"",
                           " ",
                           "abc",
                           "-1",
                           "-0",
                           "1000.1",
                           "1001",
                           "1e4",
                           "1e9999",
                           "1e99999",
                           "nan",
                           "inf",
                           "150%",
                           "42,2",
                           "42 2",
                           "7/0",
                           "7/",
                           "/7",
                           "7/-1",
                           "-7/-1",
                           "7 / 42",
                           "7/42/1",
                           ".",
                           "e1",
                           "1e",
                           "1e+",
                           "0x10",
                           "1.2.3",
                           "++1",
                           "1_0",
                           "3001/3",
                           "7/4.2",
                           "--",
                           "99999999999999999999",
                           "99999999999999999999/99999999999999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(ParsePercentage(text).has_value());
  }
}

}  // namespace
}  // namespace tally
