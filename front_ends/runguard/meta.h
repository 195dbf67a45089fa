// What runguard says of a run: lines of "KEY: VALUE" for --outmeta, and its exit status. Known keys come first, in runguard's order;
// result, message, instructions, memory-metric and isolation are Tally's own.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "front_ends/runguard/options.h"
#include "front_ends/runguard/pump.h"
#include "supervisor/api/run_result.h"

namespace tally::runguard {

struct Outcome {
  int status = 0;  // of the program: its own, 128 and a signal's number, or 255 where we failed
  std::string meta;
  std::string warning;  // "": none
};

Outcome OutcomeOf(const Options& options, const RunResult& result, const std::array<StreamCount, 2>& streams);
// Somebody ended us after `wall_time`, and with us the program.
Outcome Ended(const Options& options, int signal, Nanoseconds wall_time, const std::array<StreamCount, 2>& streams);
// Our own failure, or the caller's mistake.
Outcome Failed(std::string_view sentence);

}  // namespace tally::runguard
