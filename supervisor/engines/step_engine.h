// Counts by executing one instruction at a time (PTRACE_SINGLESTEP): the reference for every other counter.
// Tens of thousands of times slower than native.
#pragma once

#include <memory>
#include "supervisor/api/virtual_cpu_options.h"
#include "supervisor/engines/engine.h"

namespace tally {

std::unique_ptr<Engine> MakeStepEngine(const Limits& limits, const VirtualCpuOptions& options);

}  // namespace tally
