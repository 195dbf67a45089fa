#include "base/utf8.h"

#include "tests/support/catch.h"

namespace tally {
namespace {

TEST_CASE("UTF-8: text of every length of character is text", "[utf8]") {
  for (const char* text :
       {"", "plain", "zażółć gęślą jaźń", "\xe2\x82\xac", "\xf0\x9f\x8e\x89 party", "\xf4\x8f\xbf\xbf"}) {
    CAPTURE(text);
    CHECK_FALSE(FirstInvalidUtf8(text).has_value());
  }
}

TEST_CASE("UTF-8: the first byte that belongs to no character is told", "[utf8]") {
  CHECK(FirstInvalidUtf8("abc\xff") == 3);
  CHECK(FirstInvalidUtf8("12345678901234567\x80") == 17);
  CHECK(FirstInvalidUtf8("cut \xe2\x82") == 4);
  CHECK(FirstInvalidUtf8("overlong \xc0\xaf") == 9);
  CHECK(FirstInvalidUtf8("overlong \xe0\x80\xaf") == 9);
  CHECK(FirstInvalidUtf8("surrogate \xed\xa0\x80") == 10);
  CHECK(FirstInvalidUtf8("too large \xf4\x90\x80\x80") == 10);
  CHECK(FirstInvalidUtf8("latin-1: caf\xe9 au lait") == 12);
}

TEST_CASE("UTF-8: characters are counted, and a byte that belongs to none is one", "[utf8]") {
  const auto count = [](const char* text) { return CharactersOf(text).count; };
  CHECK(count("") == 0);
  CHECK(count("plain") == 5);
  CHECK(count("zażółć") == 6);
  CHECK(count("\xf0\x9f\x8e\x89 party") == 7);
  CHECK(count("cut \xe2\x82") == 6);
  CHECK(count("\x80\xff\xc0\xaf") == 4);
}

TEST_CASE("UTF-8: the first characters end where the next one begins", "[utf8]") {
  CHECK(BytesOfFirst({0}, "żó") == 0);
  CHECK(BytesOfFirst({1}, "żó") == 2);
  CHECK(BytesOfFirst({2}, "\xf0\x9f\x8e\x89\xe2\x82\xac.") == 7);
  CHECK(BytesOfFirst({3}, "\xe2\x82") == 2);
}

}  // namespace
}  // namespace tally
