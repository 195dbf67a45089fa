// What strangers write cannot move the cursor.
#include "base/printable.h"

#include "tests/support/catch.h"

namespace tally {
namespace {

TEST_CASE("printable: text stays as it is, in every script", "[printable]") {
  CHECK(Printable("a\tb zażółć 日本 🙂") == "a\tb zażółć 日本 🙂");
  CHECK(Printable("").empty());
}

TEST_CASE("printable: escapes of terminals are shown", "[printable]") {
  CHECK(Printable("\x1b[31mred\x07") == "\\x1b[31mred\\x07");
  CHECK(Printable("a\nb\r\x7f") == "a\\x0ab\\x0d\\x7f");
  CHECK(Printable("\xc2\x9b" "31m") == "\\xc2\\x9b31m");
  CHECK(Printable("\xc2\xa0") == "\xc2\xa0");
}

TEST_CASE("printable: nothing turns the direction of writing", "[printable]") {
  CHECK(Printable("a\xe2\x80\xae" "b") == "a\\xe2\\x80\\xaeb");
  CHECK(Printable("\xe2\x81\xa6\xe2\x80\x8f") == "\\xe2\\x81\\xa6\\xe2\\x80\\x8f");
  CHECK(Printable("\xe2\x80\x93") == "\xe2\x80\x93");
}

TEST_CASE("printable: what no XML may hold is shown", "[printable]") {
  CHECK(Printable("\xef\xbf\xbe\xef\xbf\xbf") == "\\xef\\xbf\\xbe\\xef\\xbf\\xbf");
  CHECK(Printable("\xef\xbf\xbd") == "\xef\xbf\xbd");
}

TEST_CASE("printable: bytes that are no text", "[printable]") {
  CHECK(Printable("a\xff" "b\xc3") == "a\\xffb\\xc3");
  CHECK(Printable(std::string_view("\0", 1)) == "\\x00");
}

}  // namespace
}  // namespace tally
