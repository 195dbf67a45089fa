// Whatever a checker writes and however it ends: a verdict that keeps its promises. The first line chooses the
// protocol (s, t, k) and how the run ended (e exited, s signalled, x stopped by a limit; a digit or two: the code);
// the parts behind are standard output, message and score.
#include <charconv>

#include "checkers/comment.h"
#include "checkers/protocol.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

using namespace tally;
using fuzz::Require;
using Outcome = CheckerVerdict::Outcome;

void CheckPromises(const CheckerRun& run, const CheckerVerdict& verdict) {
  const Percentage& percentage = verdict.percentage;
  Require(percentage.denominator > 0 && percentage.numerator >= 0);
  Require(percentage.value() <= static_cast<double>(kLargestPercentage));
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

TALLY_FUZZ_TARGET(checker_protocol) {
  const std::string_view how = input.substr(0, input.find('\n'));
  if (how.size() < 2) return;
  input.remove_prefix(std::min(how.size() + 1, input.size()));
  CheckerRun run;
  run.end = how[1] == 'e'   ? CheckerRun::End::kExited
            : how[1] == 's' ? CheckerRun::End::kSignaled
                            : CheckerRun::End::kStopped;
  std::uint8_t code = 0;
  std::from_chars(how.data() + 2, how.data() + how.size(), code);
  run.code = code;
  if (run.end == CheckerRun::End::kStopped) run.stopped_by = "time limit of 30 s";
  run.output = fuzz::NextPart(&input);
  run.message = fuzz::NextPart(&input);
  if (!input.empty()) run.score = input;
  const CheckerProtocol protocol = how[0] == 's'   ? CheckerProtocol::kSio
                                   : how[0] == 't' ? CheckerProtocol::kTestlib
                                   : how[0] == 'c' ? CheckerProtocol::kCms
                                   : how[0] == 'p' ? CheckerProtocol::kPeg
                                                   : CheckerProtocol::kKattis;
  const CheckerVerdict verdict = ReadVerdict(protocol, run);
  CheckPromises(run, verdict);
  if (protocol == CheckerProtocol::kSio && verdict.outcome == Outcome::kAccepted) {
    Require(run.output.starts_with("OK"));
  }
}
