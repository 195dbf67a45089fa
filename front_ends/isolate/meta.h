// What isolate says of a run: lines of KEY:VALUE for --meta, a line on stderr, and its exit status. Known keys come first, in isolate's
// order; instructions, virtual-time, isolation and memory-metric are Tally's own.
#pragma once

#include <string>
#include <string_view>

#include "front_ends/isolate/options.h"
#include "supervisor/api/run_result.h"

namespace tally::isolate {

struct Outcome {
  int status = 0;     // 0: the program was fine; 1: it failed; 2: we did
  std::string complaint;  // in front of the line, with or without --silent
  std::string line;   // "OK (0.001 sec real, 0.004 sec wall)", "Time limit exceeded"
  std::string meta;
};

Outcome OutcomeOf(const Options& options, const RunResult& result);
// The kernel does not execute the file: as if the program had ended with 127, which scripts know.
Outcome NotExecuted(std::string complaint);
// Somebody ended us, and with us the program.
Outcome Ended(int signal);
// Our own failure, or the caller's mistake.
Outcome Failed(std::string_view sentence);

inline constexpr std::string_view kByKeeper = "Run by the box's keeper";
// What goes to stderr, which is `descriptor`; `by` says who ran it, for --verbose.
std::string LinesOf(const Options& options, const Outcome& outcome, std::string_view by, int descriptor);

}  // namespace tally::isolate
