// The rules of the default comparison, one by one: a table, and the law that swapping the texts swaps the
// answer.
#include "checkers/tokens.h"

#include <string>
#include <utility>
#include <vector>

#include "tests/checkers/naive_compare.h"
#include "tests/support/catch.h"

using namespace std::string_view_literals;

namespace tally {
namespace {

Token Word(std::string_view text) { return {Token::Kind::kWord, text}; }
const Token kEndOfLine{Token::Kind::kEndOfLine, {}};
const Token kEndOfFile{Token::Kind::kEndOfFile, {}};

// Both orders, and the naive comparison as the third opinion.
void CheckEqual(std::string_view a, std::string_view b) {
  CAPTURE(std::string(a), std::string(b));
  CHECK_FALSE(CompareTokens(a, b).has_value());
  CHECK_FALSE(CompareTokens(b, a).has_value());
  CHECK_FALSE(NaiveCompare(a, b).has_value());
}

void CheckDiffer(std::string_view a, std::string_view b, std::uint64_t line, const Token& in_a,
                 const Token& in_b, std::size_t same_bytes = 0) {
  CAPTURE(std::string(a), std::string(b));
  const TokenMismatch mismatch{line, in_a, in_b, same_bytes};
  const TokenMismatch swapped{line, in_b, in_a, same_bytes};
  CHECK(CompareTokens(a, b) == mismatch);
  CHECK(CompareTokens(b, a) == swapped);
  CHECK(NaiveCompare(a, b) == mismatch);
}

TEST_CASE("tokens: the same bytes are equal, no bytes included", "[tokens]") {
  CheckEqual("", "");
  CheckEqual(std::string_view(), "");
  CheckEqual("7", "7");
  CheckEqual("1 2\n3 4\n", "1 2\n3 4\n");
}

TEST_CASE("tokens: any blank parts words as well as any other, and as many as one likes", "[tokens]") {
  CheckEqual("1 2 3 4 5 6", "1\t2\v3\r4\0005\0 \t\v\r6"sv);
  CheckEqual("1 2", " 1 2");
  CheckEqual("1 2", "\r\t 1 \0 2 \v"sv);
}

TEST_CASE("tokens: CRLF is LF", "[tokens]") { CheckEqual("1\n2\n", "1\r\n2\r\n"); }

TEST_CASE("tokens: a missing last line end and empty lines at the end do not matter", "[tokens]") {
  CheckEqual("1\n2", "1\n2\n");
  CheckEqual("1\n2", "1\n2 \n\r\n \n\n");
  CheckEqual("", "\n\n \n");
}

TEST_CASE("tokens: form feed is part of a word, like any byte above 127", "[tokens]") {
  CheckDiffer("a b", "a\fb", 1, Word("a"), Word("a\fb"), 1);
  CheckDiffer("a b", "a\f b", 1, Word("a"), Word("a\f"), 1);
  CheckDiffer("a b",
              "a\xA0"
              "b",
              1, Word("a"),
              Word("a\xA0"
                   "b"),
              1);
  CheckDiffer("a b", "a\x85 b", 1, Word("a"), Word("a\x85"), 1);
}

TEST_CASE("tokens: words are bytes, not numbers", "[tokens]") {
  CheckDiffer("1", "1.0", 1, Word("1"), Word("1.0"), 1);
  CheckDiffer("1", "01", 1, Word("1"), Word("01"));
  CheckDiffer("YES", "yes", 1, Word("YES"), Word("yes"));
  CheckDiffer("0", "-0", 1, Word("0"), Word("-0"));
}

TEST_CASE("tokens: a word is compared whole, however long", "[tokens]") {
  const std::string a = std::string(100, 'x') + "y";
  const std::string b = std::string(100, 'x') + " y";
  CheckDiffer(a, b, 1, Word(a), Word(std::string(100, 'x')), 100);
  CheckDiffer("12", "1 2", 1, Word("12"), Word("1"), 1);
  CheckDiffer("1 2", "1 23", 1, Word("2"), Word("23"), 1);
}

TEST_CASE("tokens: where a line ends matters, and an empty line in the middle is a line", "[tokens]") {
  CheckDiffer("1 2", "1\n2", 1, Word("2"), kEndOfLine);
  CheckDiffer("1\n2", "1\n\n2", 2, Word("2"), kEndOfLine);
  CheckDiffer("1", "\n1", 1, Word("1"), kEndOfLine);
  CheckDiffer("12", "1\n2", 1, Word("12"), Word("1"), 1);
}

TEST_CASE("tokens: output that ends early meets the end of file, on the line that matched last", "[tokens]") {
  CheckDiffer("", "1", 1, kEndOfFile, Word("1"));
  CheckDiffer("1\n2\n", "1\n", 2, Word("2"), kEndOfFile);
  CheckDiffer("1\n2", "1", 1, Word("2"), kEndOfFile);
  CheckDiffer("1", "1 2", 1, kEndOfFile, Word("2"));
}

TEST_CASE("tokens: line ends skipped at the end of the other side are not counted", "[tokens]") {
  CheckDiffer("1", "1\n\n\n2", 1, kEndOfFile, Word("2"));
  CheckDiffer("1\n\n", "1\n\n\n\n2", 3, kEndOfFile, Word("2"));
  CheckDiffer("", "\n\n \n 2 3", 1, kEndOfFile, Word("2"));
}

TEST_CASE("tokens: the line is counted in matched line ends, blanks or not", "[tokens]") {
  std::string a;
  std::string b;
  for (int line = 1; line < 1000; ++line) {
    a += std::to_string(line) + "\n";
    b += " " + std::to_string(line) + " \r\n";
  }
  CheckDiffer(a + "x", b + "y", 1000, Word("x"), Word("y"));
}

}  // namespace
}  // namespace tally
