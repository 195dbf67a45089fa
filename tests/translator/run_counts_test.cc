// What the tasks of a run executed together.
#include "supervisor/translator/guest/run_counts.h"

#include <array>
#include <cstdint>

#include "tests/support/catch.h"

namespace tally {

TEST_CASE("run counts: what the others executed does not change while one goes on, or when another is gone", "[translator]") {
  std::array<std::array<std::uint64_t, control::kPageBytes / 8>, 3> memory{};
  std::array<CounterPage, 3> pages;
  RunCounts counts;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    pages[i] = CounterPage(reinterpret_cast<std::uint8_t*>(memory[i].data()), 0);
    counts.Enter(pages[i]);
    pages[i].Correct(static_cast<std::int64_t>(100 * (i + 1)), 1);
  }
  CHECK(counts.Instructions() == 600);
  CHECK(counts.InstructionsBeside(pages[0]) == 500);
  pages[0].Correct(7, 0);
  counts.Leave(pages[2]);
  CHECK(counts.InstructionsBeside(pages[0]) == 500);
  CHECK(counts.Instructions() == 607);
  CHECK(counts.SystemCalls() == 3);
}

}  // namespace tally
