// The symbols of an ELF file that a program brought: disjoint, in order, and found where they are.
#include "profile/hotspots/elf_functions.h"
#include "tests/fuzz/fuzz_target.h"

TALLY_FUZZ_TARGET(elf_functions) {
  using namespace tally;
  const ElfFunctions file({reinterpret_cast<const std::uint8_t*>(input.data()), input.size()});
  std::uint64_t end = 0;
  for (const ElfFunction& function : file.functions()) {
    fuzz::Require(function.begin >= end || end == 0);
    fuzz::Require(function.end >= function.begin && !function.name.empty());
    end = function.end;
    if (function.end > function.begin) fuzz::Require(file.Holding(function.begin) == &function);
  }
  for (std::uint64_t offset = 0; offset < input.size(); offset += 64) static_cast<void>(file.Holding(file.AddressOf(offset)));
}
