#include "checkers/wording.h"

#include <limits>
#include <string>

#include "tests/support/catch.h"

using namespace std::string_view_literals;

namespace tally {
namespace {

std::string Say(std::string_view expected, std::string_view got, std::string_view wording) {
  return Describe(CompareTokens(expected, got), ParseWording(wording).value());
}

TEST_CASE("wording: the six names, and no others", "[wording]") {
  CHECK(WordingNames().size() == 6);
  for (const std::string_view name : WordingNames()) CHECK(ParseWording(name).has_value());
  CHECK(ParseWording("polish_full") == Wording{Wording::Language::kPolish, Wording::Length::kFull});
  CHECK(ParseWording("english_abbreviated") == Wording{});
  for (const char* name : {"", "english", "English_full", "english_full ", "german_terse", "english_"}) {
    CHECK_FALSE(ParseWording(name).has_value());
  }
}

TEST_CASE("wording: OK is OK in both languages and all lengths", "[wording]") {
  for (const std::string_view name : WordingNames()) CHECK(Say("1 2", "1  2\n", name) == "OK");
}

TEST_CASE("wording: golden sentences", "[wording]") {
  struct Case {
    std::string_view expected, got, wording, said;
  };
  const Case cases[] = {
      {"1", "2", "english_terse", "WRONG"},
      {"1", "2", "polish_terse", "ŹLE"},
      {"1\n15 2", "1\n25 2", "english_full", R"(WRONG: line 2: expected "15", got "25")"},
      {"1\n15 2", "1\n25 2", "english_abbreviated", R"(WRONG: line 2: expected "15", got "25")"},
      {"1\n15 2", "1\n25 2", "polish_full", R"(ŹLE: wiersz 2: oczekiwano "15", otrzymano "25")"},
      {"25", "2", "english_abbreviated", R"(WRONG: line 1: expected "25", got "2")"},
      {"0\n0\n", "0\n", "english_full", R"(WRONG: line 2: expected "0", got end of file)"},
      {"0\n0\n", "0\n", "polish_abbreviated", R"(ŹLE: wiersz 2: oczekiwano "0", otrzymano koniec pliku)"},
      {"a b", "a\nb", "english_full", R"(WRONG: line 1: expected "b", got end of line)"},
      {"a b", "a\nb", "polish_full", R"(ŹLE: wiersz 1: oczekiwano "b", otrzymano koniec wiersza)"},
      {"", "x", "polish_full", R"(ŹLE: wiersz 1: oczekiwano koniec pliku, otrzymano "x")"},
      {"\n1", "1", "english_full", R"(WRONG: line 1: expected end of line, got "1")"},
  };
  for (const Case& c : cases) CHECK(Say(c.expected, c.got, c.wording) == c.said);
}

TEST_CASE("wording: bytes that could confuse a reader are shown as numbers", "[wording]") {
  CHECK(Say("\x01\x7f\xc5\xbb\f", "\"<>~!", "english_full") ==
        R"(WRONG: line 1: expected "<0x01><0x7F><0xC5><0xBB><0x0C>", got "<0x22><0x3C><0x3E>~!")");
}

TEST_CASE("wording: an abbreviated word has 88 bytes between its quotes", "[wording]") {
  const std::string fits(88, '7');
  const std::string too_long(89, '7');
  CHECK(Say(fits, "x", "english_abbreviated") == "WRONG: line 1: expected \"" + fits + "\", got \"x\"");
  CHECK(Say(too_long, "x", "english_abbreviated") ==
        "WRONG: line 1: expected \"" + std::string(85, '7') + "…\", got \"x\"");
  CHECK(Say(too_long, "x", "english_full") == "WRONG: line 1: expected \"" + too_long + "\", got \"x\"");
}

TEST_CASE("wording: an abbreviated word shows its beginning and where the words differ", "[wording]") {
  const auto zeros = [](std::size_t count) { return std::string(count, '0'); };
  SECTION("the difference near the beginning: the rest is cut") {
    CHECK(Say("10001" + zeros(100), "10000" + zeros(100), "english_abbreviated") ==
          "WRONG: line 1: expected \"10001" + zeros(80) + "…\", got \"10000" + zeros(80) + "…\"");
  }
  SECTION("the difference in the middle: cut on both sides of it") {
    CHECK(Say("1" + zeros(100) + "0" + zeros(100), "1" + zeros(100) + "1" + zeros(100),
              "english_abbreviated") ==
          "WRONG: line 1: expected \"1" + zeros(78) + "…000…\", got \"1" + zeros(78) + "…010…\"");
  }
  SECTION("the difference in the last byte: cut before it") {
    CHECK(Say("1" + zeros(100) + "0", "1" + zeros(100) + "1", "english_abbreviated") ==
          "WRONG: line 1: expected \"1" + zeros(82) + "…00\", got \"1" + zeros(82) + "…01\"");
  }
  SECTION("one word is the beginning of the other") {
    CHECK(Say(zeros(100), zeros(200), "english_abbreviated") ==
          "WRONG: line 1: expected \"" + zeros(84) + "…0\", got \"" + zeros(79) + "…000…\"");
  }
  SECTION("an escape is never cut in two") {
    CHECK(Say(std::string(100, '<'), std::string(100, '>'), "english_abbreviated").find("<…") ==
          std::string::npos);
  }
}

TEST_CASE("wording: abbreviated is under 255 bytes whatever the words and the line", "[wording]") {
  for (const char byte : {'7', '<', '\x01'}) {
    for (const std::size_t same : {0u, 1u, 2u, 3u, 13u, 14u, 15u, 50u, 87u, 88u, 89u, 300u}) {
      for (const std::size_t more : {1u, 2u, 3u, 4u, 10u, 14u, 80u, 300u}) {
        const std::string a = std::string(same, byte) + std::string(more, 'x');
        const std::string b = std::string(same, byte) + std::string(more, '"');
        TokenMismatch mismatch = CompareTokens(a, b).value();
        mismatch.line = std::numeric_limits<std::uint64_t>::max();
        CAPTURE(byte, same, more);
        CHECK(Describe(mismatch, {Wording::Language::kPolish, Wording::Length::kAbbreviated}).size() < 255);
        CHECK(Describe(mismatch, {Wording::Language::kEnglish, Wording::Length::kAbbreviated}).size() < 255);
      }
    }
  }
}

TEST_CASE("wording: full words of any size do not fill the memory", "[wording]") {
  const std::string huge(5 << 20, '\x01');
  CHECK(Say(huge, "x", "english_full").size() < (1 << 20) + 200);
}

}  // namespace
}  // namespace tally
