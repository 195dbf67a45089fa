// Who is to blame where two programs talk. Pure.
//
//   the solution                     the interactor                     verdict
//   passed a limit, broke a rule     anything                           the solution's: TLE, MLE, OLE, RV. Also where it hangs after the
//                                                                       interactor has spoken
//   ended well                       accepts, refuses                   OK with its points, WA
//   failed by itself, first          anything                           RE
//   failed after the other's end     refuses                            WA: its answer was wrong before that
//   failed after the other's end     accepts                            RE; but OK where it was the broken pipe (SIGPIPE) that killed it
//   ended well                       died of the broken pipe (SIGPIPE)  WA: it did not listen to the end
//   failed                           died of the broken pipe            RE
//   ended after the other            stopped by its time limit          TLE: the interactor may take longer than the solution
//   ended well                       failed, stopped by a limit         SE: the interactor's fault
//   failed after the other's end     failed, stopped by a limit         SE
//
// A solution that the broken pipe (SIGPIPE) killed has failed after the interactor's end, whatever the clock says: an interactor may close its
// pipes, and take its time to end. The interactor's pipes are held open beyond the solution's end (unheard.h), so that the broken pipe kills only
// one that speaks without end.
//
// "First" is by the clock that both share, at the moment when a program has come to its end and its pipes are still open: who saw the end of the
// other is the second, however fast (RunResult::ended). Sources: what issues of such systems say went wrong elsewhere (a solution that hangs is WA, a
// broken pipe is RE); the problem package format, "Interactive problems".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "checkers/verdict.h"
#include "supervisor/api/run_request.h"
#include "supervisor/api/run_result.h"

namespace tally {

struct EndOfInteraction {
  const RunResult& solution;
  const CheckerVerdict& interactor;  // what its end means in its protocol
  bool interactor_died_of_pipe = false;
  bool interactor_out_of_time = false;
  bool interactor_first = false;
};

struct InteractionVerdict {
  ResultCode code = ResultCode::kSe;
  std::string sentence;
  Percentage percentage = kNoPoints;
};

InteractionVerdict JudgeInteraction(const EndOfInteraction& end);


// What several processes cost as one: SIO tells the most that one of them took, CMS adds up, and holds the sum to the limit.
enum class Together : std::uint8_t { kMost, kSum };

struct SolutionEnd {
  RunResult all;
  std::size_t process = 0;  // whose end it is
};

// Several processes of a solution as one. The first that failed decides; one that the broken pipe killed only where no other failed. Of the
// figures, what one process lacks, all lack. The means by which they were taken are the first one's, for all have the same.
SolutionEnd EndOfAll(const std::vector<RunResult>& ends, Together together, const Limits& limits);

}  // namespace tally
