// What is printed for people is no wider than their terminal.
#include "base/wrapped_text.h"

#include "tests/support/catch.h"

namespace tally {
namespace {

TEST_CASE("wrapped text: a line that is too wide goes on below, further in, and others stay as they are", "[columns]") {
  CHECK(WrappedText("  one two three\nshort\n", 12) == "  one two\n    three\nshort\n");
  CHECK(WrappedText("one two three", 0) == "one two three");
  CHECK(WrappedText("", 10).empty());
  CHECK(WrappedText("exactly ten", 11) == "exactly ten");
}

TEST_CASE("wrapped text: a word that is wider than the terminal is broken, and none of it is lost", "[columns]") {
  CHECK(WrappedText("abcdefghij", 4) == "abcd\n  ef\n  gh\n  ij");
  CHECK(WrappedText("a bcdefghij", 4) == "a\n  bc\n  de\n  fg\n  hi\n  j");
}

TEST_CASE("wrapped text: paint takes no room, and characters of several bytes take one", "[columns]") {
  CHECK(WrappedText("\x1b[1mone\x1b[0m two", 7) == "\x1b[1mone\x1b[0m two");
  CHECK(WrappedText("\x1b[1mone\x1b[0m two", 6) == "\x1b[1mone\x1b[0m\n  two");
  CHECK(WrappedText("äöü äöü", 7) == "äöü äöü");
  CHECK(WrappedText("äöü äöü", 6) == "äöü\n  äöü");
}

TEST_CASE("wrapped help: descriptions stay in their column, or stand below their option where there is no room for that", "[columns]") {
  const std::string help = "  -t,--time TEXT              Time limit (1s, 500ms), over the one in DIR, which is the package\n";
  CHECK(WrappedHelp(help, 120) == help);
  CHECK(WrappedHelp(help, 72) == "  -t,--time TEXT              Time limit (1s, 500ms), over the one in\n                              DIR, which is the package\n");
  CHECK(WrappedHelp(help, 40) == "  -t,--time TEXT\n      Time limit (1s, 500ms), over the\n      one in DIR, which is the package\n");
  CHECK(WrappedHelp("  tally judge -j 4 --time 2s problem/ *.cpp *.py\n", 40) == "  tally judge -j 4 --time 2s problem/\n    *.cpp *.py\n");
}

}  // namespace
}  // namespace tally
