// Clients of tally-serve, several at one time, beside as many that fork and execute the same program.
#pragma once

#include <string>

namespace tally {

// Prints what a run takes either way, so many clients at one time, in turns.
void CompareServe(const std::string& serve, const std::string& program);

}  // namespace tally
