// The five formats of sio2jail's report, and its sentences, word for word: callers compare them (docs/sio2jail.md). Times are whole
// milliseconds, memory is in KiB, and what was not measured is 0, for the formats have no other word.
#pragma once

#include <string>

#include "front_ends/sio2jail/options.h"
#include "supervisor/api/run_result.h"

namespace tally::sio2jail {

// "ok", "runtime error 3", "intercepted forbidden syscall socket(41) (2, 1, 0, 0, 0, 0)".
std::string Message(const RunResult& result);

// The whole report, with the end of its last line.
std::string Report(Format format, const RunResult& result);

}  // namespace tally::sio2jail
