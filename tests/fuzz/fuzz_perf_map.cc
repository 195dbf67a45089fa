// What a runtime wrote of the code that it made, or the program in its place: a name is of a line of the text.
#include "profile/hotspots/perf_map.h"
#include "tests/fuzz/fuzz_target.h"

TALLY_FUZZ_TARGET(perf_map) {
  using namespace tally;
  const PerfMap map = PerfMap::Parse(input);
  for (const std::uint64_t address : {std::uint64_t{0}, std::uint64_t{0x1000}, std::uint64_t{0x7f0000000100}, ~std::uint64_t{0}}) {
    const std::string* const name = map.NameAt(address);
    fuzz::Require(name == nullptr || (map.pieces() > 0 && input.find(*name) != std::string_view::npos));
    if (name != nullptr) fuzz::Require(!NameInJava(*name).empty());
  }
}
