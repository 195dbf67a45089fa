// The engine for the request's counter; kAuto takes perf where the host has it.
#pragma once

#include <memory>

#include "supervisor/engines/engine.h"

namespace tally {

// SystemError when a counter is asked for by name and the host has none: one sentence with what to do. UserError where the
// request contradicts itself.
// Counter::kAuto is the hardware's, or nothing; with an instruction limit, where no hardware counts, the translator. Who makes what the
// program sees (ShowVirtualFiles) asks this first.
Counter ChosenCounter(Counter asked, const Limits& limits);

std::unique_ptr<Engine> MakeEngine(const RunRequest& request);

}  // namespace tally
