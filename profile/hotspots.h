// Where a program's instructions went, exact to the instruction: a count per source line, and per function its own
// and with all it called. Whoever counts fills it; the report keeps and prints it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tally {

struct FunctionCost {
  std::string name;
  std::string file;
  std::uint64_t self = 0;       // instructions
  std::uint64_t inclusive = 0;  // instructions
};

struct LineCost {
  std::string file;
  unsigned line = 0;
  std::uint64_t instructions = 0;
};

struct Hotspots {
  std::uint64_t total = 0;              // instructions of the whole run
  std::vector<FunctionCost> functions;  // by inclusive, falling
  std::vector<LineCost> lines;          // by instructions, falling
};

}  // namespace tally
