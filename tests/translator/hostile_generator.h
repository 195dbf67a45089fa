// Makes programs that no compiler makes: bytes that are no instructions, instructions that begin in others, code that
// rewrites itself, selectors, contexts and flags that nobody has, signals all the time, and threads that do all this at
// once. Which, is told by a seed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tests/translator/tiny_program.h"

namespace tally {

struct HostileProgram {
  TinyProgram program;
  std::string pieces;        // their names, in order
  bool is_timed = false;     // what it does depends on when threads or timers have their turn
  std::uint32_t tasks = 1;
};

// Each piece depends on the seed and its own number alone: a failure is told apart by leaving the others out.
HostileProgram MakeHostileProgram(std::uint64_t seed, std::optional<int> only = std::nullopt);

// Did the program that wrote `output` touch an address at which in translation the code cache lies (docs/translator.md, "What it
// does not do")? Then it may have gone another way there.
bool ReachedTheCodeCache(const std::string& output);

}  // namespace tally
