// What sio2jail's options mean for a run of Tally's: the table of docs/sio2jail.md.
#pragma once

#include "front_ends/sio2jail/options.h"
#include "front_ends/sio2jail/root.h"
#include "supervisor/api/run_request.h"

namespace tally::sio2jail {

// The streams are ours. What the policy and the threads need is added to the view's permissions.
// InvalidConfiguration: a limit on instructions, and nobody who counts them.
RunRequest MakeRequest(const Options& options, View* view);

}  // namespace tally::sio2jail
