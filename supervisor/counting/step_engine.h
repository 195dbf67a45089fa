// Counts by executing one instruction at a time (PTRACE_SINGLESTEP): the reference for every other counter.
// Tens of thousands of times slower than native.
#pragma once

#include <memory>
#include <optional>

#include "supervisor/engine.h"

namespace tally {

std::unique_ptr<Engine> MakeStepEngine(std::optional<Instructions> limit);

}  // namespace tally
