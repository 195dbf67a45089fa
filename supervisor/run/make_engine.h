// The engine for the request's counter; kAuto takes perf where the host has it.
#pragma once

#include <memory>

#include "supervisor/engines/engine.h"

namespace tally {

// SystemError when a counter is asked for by name and the host has none: one sentence with what to do. UserError where the
// request contradicts itself.
std::unique_ptr<Engine> MakeEngine(const RunRequest& request);

}  // namespace tally
