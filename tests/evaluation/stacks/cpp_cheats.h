// What solutions in C++ try instead of returning 42. Each is a test of its own, in a process of its own (cpp_cheats_test.cc), and
// is called twice there.
#pragma once

#define CHEATS(CHEAT)                                                                                                        \
  CHEAT(CallsExit) CHEAT(CallsQuickExit) CHEAT(ExitsFromASignal) CHEAT(EndsItsThread) CHEAT(PrintsAReport)                   \
  CHEAT(WritesEverywhere) CHEAT(ThrowsTheFrameworks) CHEAT(ThrowsWhatDerivesFromIt) CHEAT(ThrowsAnInteger)                   \
  CHEAT(ThrowsTheForeign) CHEAT(TerminatesWithout) CHEAT(UnwindsItsCaller) CHEAT(RunsMainInAThread) CHEAT(RunsMainInside)    \
  CHEAT(EarlyMainInAThread) CHEAT(RepeatsNothing) CHEAT(SharesNothing) CHEAT(FiltersAll) CHEAT(LooksForTheFramework)         \
  CHEAT(ReplacesTheOutput) CHEAT(ExitsAtTheEnd) CHEAT(GuessesInAChild)

#define DECLARE(name) int name();
CHEATS(DECLARE)
