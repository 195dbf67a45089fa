// Judge: the verdict as a pure function of limits and observations, and the only place that orders verdicts.
// The order is the table in docs/results.md. Final figures are compared with the limits again, so a limit
// holds even when the program ended before Watch looked.
#pragma once

#include <optional>
#include <string>

#include "supervisor/api/cause.h"
#include "supervisor/api/run_request.h"
#include "supervisor/api/run_result.h"
#include "supervisor/run/observations.h"

namespace tally {

struct Verdict {
  ResultCode code;
  std::string sentence;
  std::optional<LimitKind> limit;  // that was passed
};

Verdict Judge(const Limits& limits, const Observations& seen);

}  // namespace tally
