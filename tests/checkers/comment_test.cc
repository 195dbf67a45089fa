#include "checkers/comment.h"

#include "tests/support/catch.h"

using namespace std::string_view_literals;

namespace tally {
namespace {

TEST_CASE("comment: valid UTF-8 is left alone, what is not becomes U+FFFD", "[comment]") {
  CHECK(RepairUtf8("zażółć 漢字 😀 \x7f\t") == "zażółć 漢字 😀 \x7f\t");
  CHECK(RepairUtf8("a\xff"
                   "b") ==
        "a\uFFFD"
        "b");
  CHECK(RepairUtf8("\0"sv) == "\uFFFD");
  CHECK(RepairUtf8("\xc5") == "\uFFFD");  // cut short
  CHECK(RepairUtf8("\xe6\xbc"
                   "x") ==
        "\uFFFD"
        "x");                                                           // cut short, then text
  CHECK(RepairUtf8("\xc0\xaf") == "\uFFFD\uFFFD");                      // overlong
  CHECK(RepairUtf8("\xe0\x80\x80") == "\uFFFD\uFFFD\uFFFD");            // overlong
  CHECK(RepairUtf8("\xed\xa0\x80") == "\uFFFD\uFFFD\uFFFD");            // surrogate
  CHECK(RepairUtf8("\xf4\x90\x80\x80") == "\uFFFD\uFFFD\uFFFD\uFFFD");  // beyond U+10FFFF
  CHECK(RepairUtf8("\xf0\x9f\x98") == "\uFFFD");
}

TEST_CASE("comment: 1024 bytes stay, of more the first 1019 and [...]", "[comment]") {
  CHECK(MakeComment(std::string(1024, 'x')) == std::string(1024, 'x'));
  CHECK(MakeComment(std::string(1025, 'x')) == std::string(1019, 'x') + "[...]");
  CHECK(MakeComment(std::string(5000000, 'x')) == std::string(1019, 'x') + "[...]");
}

TEST_CASE("comment: the cut never splits a character, and repairs count", "[comment]") {
  std::string accents;
  for (int i = 0; i < 600; ++i) accents += "ó";
  CHECK(MakeComment(accents) == accents.substr(0, 1018) + "[...]");
  CHECK(MakeComment(std::string(1000, '\xff')).size() <= kCommentBytes);
  for (std::size_t before = 1010; before < 1030; ++before) {
    const std::string comment = MakeComment(std::string(before, 'x') + "😀😀😀");
    CAPTURE(before);
    CHECK(comment.size() <= kCommentBytes);
    CHECK(RepairUtf8(comment) == comment);
    CHECK(comment.find("\uFFFD") == std::string::npos);
  }
}

TEST_CASE("comment: the first line that says something", "[comment]") {
  CHECK(FirstLine("") == "");
  CHECK(FirstLine(" \r\n\n") == "");
  CHECK(FirstLine("\n  one two \r\nthree") == "one two");
  CHECK(FirstLine("one") == "one");
}

TEST_CASE("comment: a quotation is short and in quotes", "[comment]") {
  CHECK(Quoted("abc") == "\"abc\"");
  CHECK(Quoted(std::string(100, 'x')) == '"' + std::string(55, 'x') + "[...]\"");
}

}  // namespace
}  // namespace tally
