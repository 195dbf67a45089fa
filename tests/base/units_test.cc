#include "base/units.h"

#include "base/error.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

TEST_CASE("sizes: a number with its unit, 1024-based", "[units]") {
  CHECK(ParseBytes("64b") == Bytes{64});
  CHECK(ParseBytes("64M") == Bytes::MiB(64));
  CHECK(ParseBytes("1.5GiB") == Bytes::MiB(1536));
  CHECK(ParseBytes("1 gb") == Bytes::MiB(1024));
}

TEST_CASE("durations: a number with its unit", "[units]") {
  CHECK(ParseDuration("250ms") == Milliseconds(250));
  CHECK(ParseDuration("1.5s") == Milliseconds(1500));
  CHECK(ParseDuration("2m") == std::chrono::minutes(2));
}

TEST_CASE("units: a bare number is refused with the spellings to choose from, but for 0", "[units]") {
  CHECK_THROWS_WITH(ParseDuration("2"), "\"2\" has no unit: write 2s or 2ms");
  CHECK_THROWS_WITH(ParseBytes("64"), "\"64\" has no unit: write 64M, 64k or 64b");
  CHECK(ParseDuration("0") == Nanoseconds(0));
  CHECK(ParseBytes("0") == Bytes{0});
}

TEST_CASE("instructions: decimal multipliers", "[units]") {
  CHECK(ParseInstructions("5m") == Instructions{5'000'000});
  CHECK(VirtualTime(Instructions{3'999'999}) == Milliseconds(1));
}

TEST_CASE("units: what is no figure is refused with the accepted forms", "[units]") {
  for (const char* text : {"", "ten", "-5", "1e9x", "5 parsecs", ".", "1..2", "nan", "inf"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(ParseBytes(text), UserError);
    CHECK_THROWS_AS(ParseDuration(text), UserError);
    CHECK_THROWS_AS(ParseInstructions(text), UserError);
  }
  CHECK_THROWS_WITH(ParseBytes("ten"),
                    "\"ten\" is not a size: write a number with b, k, M or G, like 64M");
  CHECK_THROWS_WITH(ParseBytes("99999999999T"),
                    "\"99999999999T\" is larger than this machine can count");
}

TEST_CASE("figures for people: short, with their unit", "[units]") {
  CHECK(FormatBytes(Bytes{512}) == "512 B");
  CHECK(FormatBytes(Bytes{1000}) == "1,000 B");
  CHECK(FormatBytes(Bytes::MiB(64)) == "64.0 MiB");
  CHECK(FormatDuration(Milliseconds(1500)) == "1.50 s");
  CHECK(FormatDuration(Milliseconds(12)) == "12 ms");
  CHECK(FormatMilliseconds(Nanoseconds(412'345)) == "0.412 ms");
  CHECK(FormatMilliseconds(Nanoseconds(16'530'000)) == "16.5 ms");
  CHECK(FormatMilliseconds(Nanoseconds(1'003'400'000)) == "1,003 ms");
  CHECK(FormatMebibytes(Bytes::KiB(1528)) == "1.49 MiB");
  CHECK(FormatMebibytes(Bytes::MiB(64)) == "64.0 MiB");
  CHECK(FormatMebibytes(Bytes::MiB(1536)) == "1,536 MiB");
  CHECK(FormatMebibytes(Bytes::KiB(4)) == "0.00 MiB");
  CHECK(CountOf(0, "test") == "0 tests");
  CHECK(CountOf(1, "test") == "1 test");
  CHECK(CountOf(1234, "process", "processes") == "1,234 processes");
  CHECK(FormatCount(1234567) == "1,234,567");
  CHECK(FormatCount(12) == "12");
}

}  // namespace
}  // namespace tally
