#include "supervisor/translator/persist/code_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "supervisor/translator/emit/linker.h"
#include "supervisor/translator/emit/translator.h"

namespace tally {
namespace {

constexpr std::uint64_t kMagic = 0x3230'4f59'4c4c'4154;  // "TALLYO02"
constexpr std::size_t kLists = 13;
constexpr std::size_t kAlignment = 8;

struct Header {
  std::uint64_t magic;
  std::uint64_t size;  // of the file
  ObjectKey checksum;  // of all that follows but the program's bytes, which are compared with the program's
  ObjectKey key;
  ObjectPlace place;
  std::uint64_t counts[kLists];
};
constexpr std::size_t kChecked = offsetof(Header, key);

// In the order of the file.
template <typename Lists, typename Action>
void ForEachList(Lists* lists, Action action) {
  action(&lists->pages), action(&lists->code), action(&lists->data), action(&lists->controls);
  action(&lists->stubs), action(&lists->stub_sites), action(&lists->imports), action(&lists->fragments);
  action(&lists->entries), action(&lists->entry_fragments), action(&lists->traps), action(&lists->branch_targets);
  action(&lists->page_bytes);
}

constexpr std::uint64_t Aligned(std::uint64_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

// What the checksum is made of.
std::span<const std::uint8_t> CheckedPart(std::span<const std::uint8_t> file, const Header& header) {
  const std::uint64_t unchecked = header.counts[kLists - 1];
  return file.subspan(kChecked, file.size() - kChecked - std::min(unchecked, file.size() - sizeof header));
}

// One multiplication, whose halves are both used, for two words (as in wyhash; 19 GB/s here, where two multiplications a word made 5.6).
std::uint64_t Mixed(std::uint64_t lane, std::uint64_t word, std::uint64_t next) {
  __extension__ using Product = unsigned __int128;
  const Product product = Product{lane ^ word} * (next ^ 0x9e37'79b9'7f4a'7c15);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

template <typename List, typename Property>
bool All(const List& list, Property property) {
  return std::all_of(list.begin(), list.end(), property);
}

template <typename List>
bool Ascends(const List& list) {
  return std::adjacent_find(list.begin(), list.end(),
                            [](const auto& a, const auto& b) { return !(a < b); }) == list.end();
}

bool IsSound(const CodeObject& o) {
  const ObjectPlace& place = o.place;
  if (place.begin >= place.end || place.end - place.begin > UINT32_MAX || o.code.size() > UINT32_MAX)
    return false;
  const std::size_t size = o.code.size();
  const auto holds = [size](std::uint64_t at, std::uint64_t length) {
    return at <= size && length <= size - at;
  };
  const auto is_ours = [&](std::uint64_t key) {
    const Entry entry = Entry::FromKey(key);
    return entry.pc >= place.begin && entry.pc < place.end && entry.pending <= Entry::kMostPending;
  };
  const auto in_kinds = [](std::uint16_t kind) {
    return kind <= static_cast<int>(Trap::Kind::kRunsOff) && Trap::CanBeKept(static_cast<Trap::Kind>(kind));
  };
  std::uint64_t behind = 0;  // the last fragment
  for (const object::Fragment& u : o.fragments) {
    if (u.begin < behind || !holds(u.begin, u.end) || u.pc >= place.end - place.begin) return false;
    if (u.instructions == 0 || u.add_before >= u.instructions || u.add_length > u.end) return false;
    if (u.kind > (object::Fragment::kLent | object::Fragment::kOnWayBack) || u.pending < Entry::kLeastPending || u.pending > Entry::kMostPending) return false;
    behind = u.begin + u.end;
  }
  for (std::size_t i = 0; i < o.entries.size(); ++i) {
    if (o.entry_fragments[i] >= o.fragments.size()) return false;
    const object::Fragment& u = o.fragments[o.entry_fragments[i]];
    if (u.on_way_back() || o.entries[i] != Entry{place.begin + u.pc, u.pending, u.lent()}.key()) return false;
  }
  return Ascends(o.pages) &&
         All(o.pages,
             [&](std::uint64_t page) {
               return page >= place.begin && page < place.end && page % CodeObject::kPage == 0;
             }) &&
         All(o.data, [&](std::uint32_t at) { return holds(at, 4); }) && All(o.controls, [&](std::uint32_t at) { return holds(at, 4); }) && Ascends(o.stubs) &&
         All(o.stubs, is_ours) &&
         All(o.stub_sites,
             [&](const object::StubSite& s) { return holds(s.at, 4) && s.stub < o.stubs.size(); }) &&
         std::is_sorted(o.stub_sites.begin(), o.stub_sites.end(),
                        [](const auto& a, const auto& b) { return a.stub < b.stub; }) &&
         All(o.imports,
             [&](const object::Import& i) {
               return holds(i.at, 4) && Entry::FromKey(i.key).pending <= Entry::kMostPending;
             }) &&
         Ascends(o.entries) && All(o.entries, is_ours) &&
         All(o.traps,
             [&](const object::Trap& t) {
               const bool is_cache = t.kind == static_cast<int>(Trap::Kind::kInlineCache);
               return in_kinds(t.kind) && holds(t.at, is_cache ? InlineCaches::kBehind : 1) &&
                      (!is_cache || t.at >= InlineCaches::kBefore) && t.used <= InlineCaches::kWays;
             }) &&
         All(o.branch_targets, [&](const object::BranchTarget& l) {
           return holds(l.at, 1) && holds(l.otherwise, 4) && l.table <= 1 && l.careful <= 1 &&
                  l.pc >= place.begin && l.pc < place.end;
         });
}

}  // namespace

std::string ObjectKey::Text() const { return fmt::format("{:016x}{:016x}", words[0], words[1]); }

// Four lanes, because a multiplication waits for the one before it. Nobody is to be kept from finding two
// texts with the same sum: whoever could write here could write what he likes.
ObjectKey HashOf(std::span<const std::uint8_t> bytes, const ObjectKey& before) {
  std::uint64_t lanes[4] = {before.words[0] + 1, before.words[1] + 2, bytes.size(), 3};
  std::uint64_t words[8];
  const auto mix = [&] {
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) lanes[i] = Mixed(lanes[i], words[2 * i], words[2 * i + 1]);
  };
  std::size_t at = 0;
  for (; at + sizeof words <= bytes.size(); at += sizeof words) {
    std::memcpy(words, bytes.data() + at, sizeof words);
    mix();
  }
  std::memset(words, 0, sizeof words);
  if (at < bytes.size()) std::memcpy(words, bytes.data() + at, bytes.size() - at);
  mix();
  ObjectKey key;
  for (int i = 0; i < 4; ++i) {
    key.words[0] = Mixed(key.words[0], lanes[i], lanes[3 - i]);
    key.words[1] = Mixed(key.words[1] + 1, lanes[3 - i], lanes[i]);
  }
  return key;
}

std::optional<CodeObject> CodeObject::Parse(std::span<const std::uint8_t> file, const ObjectKey& key) {
  Header header{};
  if (file.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, file.data(), sizeof header);
  if (header.magic != kMagic || header.size != file.size() || header.key != key) return std::nullopt;
  if (HashOf(CheckedPart(file, header)) != header.checksum) return std::nullopt;

  CodeObject object;
  object.place = header.place;
  std::span<const std::uint8_t> rest = file.subspan(sizeof header);
  std::size_t i = 0;
  bool fits = true;
  ForEachList(static_cast<CodeObjectLists<SpanOf>*>(&object), [&](auto* list) {
    using Value = typename std::remove_pointer_t<decltype(list)>::element_type;
    const std::uint64_t n = header.counts[i++];
    fits = fits && n <= rest.size() / sizeof(Value) && Aligned(n * sizeof(Value)) <= rest.size();
    if (!fits) return;
    *list = {reinterpret_cast<const Value*>(rest.data()), n};
    rest = rest.subspan(Aligned(n * sizeof(Value)));
  });
  fits = fits && rest.empty() && object.page_bytes.size() == object.pages.size() * kPage &&
         object.entry_fragments.size() == object.entries.size();
  if (!fits || !IsSound(object)) return std::nullopt;
  return object;
}

void Seal(std::span<std::uint8_t> file, const ObjectKey& key) {
  Header header{};
  if (file.size() < sizeof header) return;
  std::memcpy(&header, file.data(), sizeof header);
  header.magic = kMagic;
  header.size = file.size();
  header.key = key;
  std::memcpy(file.data(), &header, sizeof header);
  header.checksum = HashOf(CheckedPart(file, header));
  std::memcpy(file.data(), &header, sizeof header);
}

std::vector<std::uint8_t> WriteObject(const CodeObjectLists<VectorOf>& lists, const ObjectPlace& place,
                                      const ObjectKey& key) {
  Header header{};
  header.place = place;
  std::size_t size_of_file = sizeof header;
  std::size_t i = 0;
  ForEachList(&lists, [&](const auto* list) {
    header.counts[i++] = list->size();
    size_of_file += Aligned(list->size() * sizeof(*list->data()));
  });
  std::vector<std::uint8_t> file(size_of_file);
  std::size_t at = sizeof header;
  ForEachList(&lists, [&](const auto* list) {
    const std::size_t size = list->size() * sizeof(*list->data());
    if (size != 0) std::memcpy(file.data() + at, list->data(), size);
    at += Aligned(size);
  });
  std::memcpy(file.data(), &header, sizeof header);
  Seal(file, key);
  return file;
}

}  // namespace tally
