// Tables for people, as wide as their terminal: which columns stay, and where the text goes.
#include "base/columns.h"

#include <algorithm>

#include "base/lines.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

Columns Table(std::size_t terminal) { return {{{"test", 4}, {"", 5}, {"time", 10, true, 0, " "}, {"memory", 10, true, 2}, {"instructions", 16, true, 1}}, terminal, false}; }

const std::vector<Cell> kCells{{"1"}, {"TLE"}, {"1,003 ms"}, {"1.47 MiB"}, {"2,002,801,370"}};

TEST_CASE("columns: without a terminal all of them stand on a line, with the text behind them", "[columns]") {
  CHECK(Table(0).Head() == "  test              time      memory      instructions\n");
  CHECK(Table(0).Row(kCells, {"too slow"}) == "  1     TLE     1,003 ms    1.47 MiB     2,002,801,370  too slow\n");
}

TEST_CASE("columns: on a narrow terminal the text has lines of its own, and columns go one after the other", "[columns]") {
  const std::string sentence = "time limit exceeded: more than 1.00 s of user CPU time";
  CHECK(Table(70).Row(kCells, {sentence}) == "  1     TLE     1,003 ms    1.47 MiB     2,002,801,370\n      " + sentence + "\n");
  CHECK(Table(50).Row(kCells) == "  1     TLE     1,003 ms    1.47 MiB\n");
  CHECK(Table(30).Row(kCells) == "  1     TLE     1,003 ms\n");
  CHECK(Table(5).Row(kCells) == "  1     TLE     1,003 ms\n");
  for (std::size_t terminal = 26; terminal < 140; ++terminal) {
    for (const std::string& line : LinesOf(Table(terminal).Head() + Table(terminal).Row(kCells, {sentence}))) {
      CAPTURE(terminal, line);
      CHECK(CharactersIn(line) <= terminal);
    }
  }
}

TEST_CASE("columns: a row with fewer cells ends with them, and its text stands behind the last", "[columns]") {
  CHECK(Table(0).Row({{"1"}, {"-"}}, {"not run: 0 failed"}) == "  1     -      not run: 0 failed\n");
}

TEST_CASE("columns: what is cut or broken is so between characters, and at blanks", "[columns]") {
  CHECK(CharactersIn("zażółć") == 6);
  CHECK(Shortened("zażółć", 6) == "zażółć");
  CHECK(Shortened("zażółć gęślą", 6) == "zaż...");
  CHECK(ShortenedInFront("zażółć", 6) == "zażółć");
  CHECK(ShortenedInFront("zażółć gęślą", 6) == "...ślą");
  CHECK(ShortenedInFront("submissions/accepted/right.cpp", 13) == ".../right.cpp");
  CHECK(Wrapped("one two three", 7, 2) == "one two\n  three");
  CHECK(Wrapped("zażółć gęślą jaźń", 12, 1) == "zażółć gęślą\n jaźń");
  CHECK(Wrapped("abcdefghij", 4, 1) == "abcd\n efg\n hij");
  CHECK(Wrapped("as it is", 0, 1) == "as it is");
}

}  // namespace
}  // namespace tally
