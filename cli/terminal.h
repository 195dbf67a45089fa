// What is printed of runs for people (base/terminal.h), with the colours of result codes.
#pragma once

#include <string>

#include "base/terminal.h"
#include "supervisor/api/run_result.h"

namespace tally {

// "OK" in green, "WA" in red, ...: SGR parameters (Paint).
const char* StyleOf(ResultCode code);
// The code as text, painted if `colour`.
std::string PaintCode(ResultCode code, bool colour);

}  // namespace tally
