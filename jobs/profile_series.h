// The series: one program over inputs of growing size, each run for its time and memory and once more for its
// instructions.
//
// For each size: its input is made, and the program runs natively in the full sandbox, for at most the message's
// timeout of real time. A short run is repeated and its least user time kept, since other work on the machine only
// adds; the figure settles that way. Then, size by size, the program runs again in translation, which counts exactly.
// All runs together have the timeout times the number of sizes: a counted run that does not fit any more leaves its
// count absent, with the reason. What is left of that time goes to inputs of other seeds, which are only counted. A run that fails has infinite time and memory, and the series goes on.
//
// UserError: the message asks for what there is not (a compiler), or its generator, checker or model solution does not
// compile. The program's own compilation is tried twice and then is the report's error.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "base/log_level.h"
#include "jobs/judge_observer.h"
#include "profile/code_message.h"
#include "profile/report.h"
#include "supervisor/api/run_request.h"

namespace tally {

struct SeriesEvents {
  // How many of `total` steps are done, and what is being done.
  std::function<void(std::size_t done, std::size_t total, const std::string& what)> progress;
  std::function<void(LogLevel level, const std::string& sentence)> log;
  JudgeObserver* observer = nullptr;  // borrowed: each size is a test
};

// How many steps `progress` counts to.
std::size_t SeriesSteps(const CodeMessage& message);

ProfileReport RunSeries(const CodeMessage& message, Isolation isolation, const SeriesEvents& events);

}  // namespace tally
