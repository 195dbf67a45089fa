// A file of translations: those of one mapping of code, at one address, for one set of options, as they are
// laid between runs (translation_folder.h).
//
// Theory of operation. What makes a file valid is not its name but what is in it: the program's bytes, page
// by page, that the translations were made from. They are compared with what the mapping holds now, so a file
// may be of use for nothing, but never wrong. The translations are one piece of code, which may lie anywhere
// in its code region: distances within it hold, distances to the program's data are listed and corrected. What leads
// out of it is a list of jumps and the translations they lead to; where those are of the same mapping and not
// in the file they have stubs in the file, so that loading need not look any of them up.
//
// This is the reader's view: Parse checks every offset against every size, and a checksum over all but the
// bytes that are compared, before anything is used. Numbers are as this machine lays them; a file goes no
// further than the folder it lies in.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "supervisor/translator/cache/control_area.h"
#include "supervisor/x86/decode.h"

namespace tally {

// Of what decides the translations of a mapping, but for the bytes that are compared.
struct ObjectKey {
  std::array<std::uint64_t, 2> words{};
  bool operator==(const ObjectKey&) const = default;
  [[nodiscard]] std::string Text() const;
};
// Of several parts, one after the other.
ObjectKey HashOf(std::span<const std::uint8_t> bytes, const ObjectKey& before = {});

namespace object {

// Offsets are from the beginning of the code.
struct Fragment {
  std::uint32_t begin;
  std::uint32_t pc;  // from the beginning of the mapping
  std::int16_t pending, added;
  std::uint16_t kind;  // kLent, kOnWayBack
  std::uint16_t add_before, add_length, back_before, end, call_end, trap_end;
  std::uint16_t instructions;
  static constexpr std::uint16_t kLent = 1, kOnWayBack = 2;
  [[nodiscard]] bool lent() const { return (kind & kLent) != 0; }
  [[nodiscard]] bool on_way_back() const { return (kind & kOnWayBack) != 0; }
};
struct StubSite {  // of a jump that waits
  std::uint32_t at;
  std::uint32_t stub;
};
struct Import {  // a jump to a translation of another mapping
  std::uint64_t key;
  std::uint32_t at;
  std::uint32_t unused = 0;
};
struct Trap {
  std::uint64_t key;
  std::uint32_t at;
  std::uint16_t kind;
  std::uint16_t used;  // ways of an inline cache
};
struct BranchTarget {
  std::uint64_t pc;
  std::uint32_t at;
  std::uint32_t otherwise;
  std::uint32_t table;
  std::uint32_t careful;
};

}  // namespace object

template <template <typename> typename List>
struct CodeObjectLists {
  List<std::uint64_t> pages;      // addresses, ascending
  List<std::uint8_t> page_bytes;  // of each page one behind the other
  List<std::uint8_t> code;
  List<std::uint32_t> data;           // distances to the program's data
  List<std::uint32_t> controls;       // distances to the task's page (Emitter::WithControl)
  List<std::uint64_t> stubs;          // keys (linker.h), ascending
  List<object::StubSite> stub_sites;  // by stub
  List<object::Import> imports;
  List<object::Fragment> fragments;         // ascending
  List<std::uint64_t> entries;      // keys, ascending
  List<std::uint32_t> entry_fragments;  // of each its fragment
  List<object::Trap> traps;
  List<object::BranchTarget> branch_targets;
};

// The mapping, and where its code lay in which code region.
struct ObjectPlace {
  GuestPc begin = 0, end = 0;
  HostPc region = 0;
  HostPc base = 0;
};

template <typename Value>
using SpanOf = std::span<const Value>;
template <typename Value>
using VectorOf = std::vector<Value>;

struct CodeObject : CodeObjectLists<SpanOf> {
  ObjectPlace place;

  static constexpr std::size_t kPage = 4096;
  // It refers to `file`. Nothing where that is not whole, not what was asked for, or not sound.
  static std::optional<CodeObject> Parse(std::span<const std::uint8_t> file, const ObjectKey& key);
};

// Makes the beginning of `file`, which must have room for it, fit the rest.
void Seal(std::span<std::uint8_t> file, const ObjectKey& key);
std::vector<std::uint8_t> WriteObject(const CodeObjectLists<VectorOf>& lists, const ObjectPlace& place,
                                      const ObjectKey& key);

}  // namespace tally
