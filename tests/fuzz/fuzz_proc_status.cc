// Figures in what /proc/PID/status and /proc/PID/stat say, whatever they say: a program chooses its own name in it.
#include <string>

#include "supervisor/resources/caught_signals.h"
#include "supervisor/resources/proc_status.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tally;

TALLY_FUZZ_TARGET(proc_status) {
  for (const char* field : {"VmPeak", "VmHWM", "NSpid", "Threads"}) NumberInStatus(input, field);
  // A line of its own is read as written, behind a header that is any text without that field.
  const std::string text = std::string(input.substr(0, input.find("\nFigure:"))) + "\nFigure:\t   1234 kB\n";
  fuzz::Require(NumberInStatus(text, "Figure") == 1234u);

  CaughtInStat(input);
  std::string stat = "1 (" + std::string(input) + ") S";
  for (int field = 4; field < 34; ++field) stat += " 0";
  fuzz::Require(CaughtInStat(stat + " 17 0\n") == 17u);
}
