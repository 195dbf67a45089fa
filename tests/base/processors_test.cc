#include "base/processors.h"

#include <unistd.h>

#include "tests/support/catch.h"

namespace tally {
namespace {

TEST_CASE("processors: slots have as many each, and none in common", "[processors]") {
  const std::vector<int> all = {0, 1, 2, 5, 6, 7, 9};
  CHECK(ProcessorsOfSlot(all, 0, 1) == all);
  CHECK(ProcessorsOfSlot(all, 0, 3) == std::vector<int>{0, 1});
  CHECK(ProcessorsOfSlot(all, 1, 3) == std::vector<int>{2, 5});
  CHECK(ProcessorsOfSlot(all, 2, 3) == std::vector<int>{6, 7});
  CHECK(ProcessorsOfSlot(all, 6, 7) == std::vector<int>{9});
  CHECK(ProcessorsOfSlot(all, 0, 8).empty());
}

TEST_CASE("processors: ours are at least one, and no more than the machine's", "[processors]") {
  CHECK(!OwnProcessors().empty());
  CHECK(OwnProcessors().size() <= static_cast<std::size_t>(::sysconf(_SC_NPROCESSORS_CONF)));
}

}  // namespace
}  // namespace tally
