// Files of translations: whatever lies in the folder, what is used of it lies within it.
#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "supervisor/translator/emit/linker.h"
#include "supervisor/translator/persist/code_object.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

using namespace tally;

// As LoadedCode goes over it.
void Use(const CodeObject& object) {
  const std::size_t size = object.code.size();
  for (const std::uint32_t at : object.data) fuzz::Require(at + std::size_t{4} <= size);
  for (const object::StubSite& site : object.stub_sites) {
    fuzz::Require(site.at + std::size_t{4} <= size && site.stub < object.stubs.size());
  }
  for (const object::Import& import : object.imports) fuzz::Require(import.at + std::size_t{4} <= size);
  for (const object::Unit& unit : object.units) fuzz::Require(unit.begin + std::size_t{unit.end} <= size);
  for (const std::uint32_t unit : object.entry_units) fuzz::Require(unit < object.units.size());
  for (const std::uint64_t key : object.entries) fuzz::Require(Entry::FromKey(key).pc >= object.place.begin);
  for (const object::Landing& landing : object.landings)
    fuzz::Require(landing.otherwise + std::size_t{4} <= size && landing.table <= 1);
  for (const object::Trap& trap : object.traps) fuzz::Require(trap.at < size);
  fuzz::Require(object.page_bytes.size() == object.pages.size() * CodeObject::kPage);
  fuzz::Require(object.entries.size() == object.entry_units.size());
}

}  // namespace

TALLY_FUZZ_TARGET(code_object) {
  const ObjectKey key{{1, 2}};
  std::vector<std::uint8_t> file(input.begin(), input.end());
  if (const auto object = CodeObject::Parse(file, key)) Use(*object);
  Seal(file, key);  // no fuzzer finds a checksum
  if (const auto object = CodeObject::Parse(file, key)) Use(*object);
}
