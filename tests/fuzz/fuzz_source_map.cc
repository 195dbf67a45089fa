// What tally-debug-info prints of a contestant's file: whatever it is, what is looked up in it is in it.
#include "profile/hotspots/source_map.h"
#include "tests/fuzz/fuzz_target.h"

TALLY_FUZZ_TARGET(source_map) {
  using namespace tally;
  fuzz::MayRefuse([&] {
    const SourceMap map = SourceMap::Parse(input);
    for (const std::uint64_t address : {0UL, 1UL, 0x401000UL, 0x401010UL, ~0UL}) {
      if (const SourceMap::Row* const row = map.RowAt(address)) fuzz::Require(row->line != 0 && map.FileName(row->file).size() < input.size());
      if (const SourceMap::Function* const function = map.FunctionAt(address)) fuzz::Require(function->address == address);
      for (const SourceMap::Inlined* const inlined : map.InlinedAt(address)) {
        fuzz::Require(inlined->begin <= address && address < inlined->end && map.FileName(inlined->caller).size() < input.size());
      }
    }
  });
}
