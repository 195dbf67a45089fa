// The processor executes the program as it is on this machine; a hardware counter counts, or nothing does.
#pragma once

#include <memory>
#include <string>

#include "supervisor/engines/engine.h"

namespace tally {

// Without `count` the instructions are absent, because of `why_not`.
std::unique_ptr<Engine> MakeNativeEngine(bool count, std::string why_not, const Limits& limits);

}  // namespace tally
