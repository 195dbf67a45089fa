// Where a program's instructions went, exact to the instruction: for each function and each line of the source its own, and
// with all that was called from there. Whoever counts fills it; the report keeps and prints it.
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
  std::vector<FunctionCost> functions;  // of a library, which stands here in their place; by self, falling
};

struct LineCost {
  std::string file;
  unsigned line = 0;
  std::uint64_t self = 0;       // instructions
  std::uint64_t inclusive = 0;  // instructions
};

struct Hotspots {
  std::uint64_t total = 0;              // instructions of the whole run
  std::vector<FunctionCost> functions;  // by self, falling
  std::vector<LineCost> lines;          // by self, falling
  std::string source;                   // the file that lines of the program's own source have; "" unknown
  std::string measured;                 // how, where it is not every instruction of the run itself; "" else
  std::string no_inclusive;             // why nothing has an inclusive cost; "" where all have
};

void SortBySelf(Hotspots* hotspots);

// Nothing has an inclusive cost any more, and what has none of its own is gone.
void LeaveOutInclusive(Hotspots* hotspots, const std::string& why);

}  // namespace tally
