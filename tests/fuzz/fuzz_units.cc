// Sizes, durations and counts as people type them: a figure that arithmetic can bear, or a mistake told in one line.
#include "base/units.h"
#include "checkers/percentage.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tally;
using fuzz::MayRefuse;
using fuzz::Require;

TALLY_FUZZ_TARGET(units) {
  MayRefuse([&] {
    const Bytes bytes = ParseBytes(input);
    Require(bytes.count < 1ULL << 63);
    Require(!FormatBytes(bytes).empty());
  });
  MayRefuse([&] {
    const Nanoseconds duration = ParseDuration(input);
    Require(duration.count() >= 0 && (duration * 64).count() >= duration.count());
    Require(!FormatDuration(duration).empty());
  });
  MayRefuse([&] {
    const Instructions instructions = ParseInstructions(input);
    Require(instructions.count < 1ULL << 63);
    Require(VirtualTime(instructions).count() >= 0 && !FormatCount(instructions.count).empty());
  });
  if (const auto percentage = ParsePercentage(input)) {
    Require(percentage->denominator > 0 && percentage->numerator >= 0);
    Require(percentage->value() <= static_cast<double>(kLargestPercentage));
  }
}
