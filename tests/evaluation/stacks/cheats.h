// What solutions in C try instead of returning 42. Each is a test of its own (cheats_test.c), in a process of its own.
#pragma once

#define CHEATS(CHEAT)                                                                                              \
  CHEAT(calls_exit) CHEAT(calls_underscore_exit) CHEAT(calls_quick_exit) CHEAT(executes_true) CHEAT(ends_its_thread) \
  CHEAT(exits_at_exit) CHEAT(exits_in_a_signal_handler) CHEAT(prints_a_report) CHEAT(writes_everywhere)             \
  CHEAT(closes_everything) CHEAT(closes_the_report) CHEAT(jumps_out) CHEAT(forks_guesses) CHEAT(goes_on_in_a_child) \
  CHEAT(leaves_a_child_behind) CHEAT(empties_files) CHEAT(replays_the_secret) CHEAT(replays_in_a_thread) CHEAT(searches_memory) CHEAT(kills_its_parent) CHEAT(kills_all) \
  CHEAT(traces) CHEAT(sets_the_environment) CHEAT(redirects_output) CHEAT(loads_the_tests_again) CHEAT(looks_for_answers) \
  CHEAT(early_exit) CHEAT(early_thread) CHEAT(early_main) CHEAT(early_secret)

#define DECLARE(name) int name(void);
CHEATS(DECLARE)
