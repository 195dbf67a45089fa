// What options mean for a run. Streams are the caller's affair.
#pragma once

#include "front_ends/runguard/options.h"
#include "front_ends/runguard/view.h"
#include "supervisor/api/run_request.h"

namespace tally::runguard {

RunRequest MakeRequest(const Options& options, const View& view);

}  // namespace tally::runguard
