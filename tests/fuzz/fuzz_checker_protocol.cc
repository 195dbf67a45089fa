// Whatever a checker writes and however it ends: a verdict that keeps its promises. The first two bytes
// choose the protocol and how the run ended; the rest is what it wrote.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checkers/comment.h"
#include "checkers/protocol.h"

namespace {

using namespace tally;
using Outcome = CheckerVerdict::Outcome;

void Require(bool promise) {
  if (!promise) __builtin_trap();
}

void CheckPromises(const CheckerRun& run, const CheckerVerdict& verdict) {
  const Percentage& percentage = verdict.percentage;
  Require(percentage.denominator > 0 && percentage.numerator >= 0);
  Require(percentage.value() <= 100);
  Require(RepairUtf8(verdict.comment) == verdict.comment);
  if (verdict.outcome == Outcome::kCheckerFailed) {
    Require(!verdict.comment.empty());
  } else {
    Require(verdict.comment.size() <= kCommentBytes);
    Require(run.end == CheckerRun::End::kExited);
  }
  if (verdict.outcome != Outcome::kAccepted) Require(percentage == kNoPoints);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  CheckerRun run;
  run.end = static_cast<CheckerRun::End>(data[0] / 3 % 3);
  run.code = data[1];
  run.output = text;
  run.message = text;
  if (data[0] >= 128) run.score = text;
  const auto protocol = static_cast<CheckerProtocol>(data[0] % 3);
  const CheckerVerdict verdict = ReadVerdict(protocol, run);
  CheckPromises(run, verdict);
  if (protocol == CheckerProtocol::kSio && verdict.outcome == Outcome::kAccepted) {
    Require(text.starts_with("OK"));
  }
  return 0;
}
