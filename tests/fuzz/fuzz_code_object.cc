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
  for (const object::Fragment& fragment : object.fragments) fuzz::Require(fragment.begin + std::size_t{fragment.end} <= size);
  for (const std::uint32_t fragment : object.entry_fragments) fuzz::Require(fragment < object.fragments.size());
  for (const std::uint64_t key : object.entries) fuzz::Require(Entry::FromKey(key).pc >= object.place.begin);
  for (const object::BranchTarget& branch_target : object.branch_targets)
    fuzz::Require(branch_target.otherwise + std::size_t{4} <= size && branch_target.table <= 1);
  for (const object::Trap& trap : object.traps) fuzz::Require(trap.at < size);
  fuzz::Require(object.page_bytes.size() == object.pages.size() * CodeObject::kPage);
  fuzz::Require(object.entries.size() == object.entry_fragments.size());
}

}  // namespace

TALLY_FUZZ_TARGET(code_object) {
  const ObjectKey key{{1, 2}};
  std::vector<std::uint8_t> file(input.begin(), input.end());
  if (const auto object = CodeObject::Parse(file, key)) Use(*object);
  Seal(file, key);  // no fuzzer finds a checksum
  if (const auto object = CodeObject::Parse(file, key)) Use(*object);
}
