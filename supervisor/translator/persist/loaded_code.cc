#include "supervisor/translator/persist/loaded_code.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tally {
namespace {

constexpr std::uint64_t kCodeAlignment = 64;

// The displacement at `code` + `at`, so that it leads from `from` + `at` to `to`.
void Lead(std::uint8_t* code, std::uint32_t at, HostPc from, HostPc to) {
  const auto distance = static_cast<std::int32_t>(to - (from + at + 4));
  std::memcpy(code + at, &distance, sizeof distance);
}

}  // namespace

bool LoadedCode::Matches(const CodeObject& object, const GuestCode& code) {
  constexpr std::size_t kAtOnce = 16;  // pages: what is compared is still in the processor's cache
  static std::vector<std::uint8_t> now(kAtOnce * CodeObject::kPage);
  for (std::size_t i = 0; i < object.pages.size(); i += kAtOnce) {
    const std::size_t n = std::min(kAtOnce, object.pages.size() - i);
    if (!code.ReadPages(object.pages.subspan(i, n), now.data())) return false;
    if (std::memcmp(now.data(), object.page_bytes.data() + i * CodeObject::kPage, n * CodeObject::kPage) != 0)
      return false;
  }
  return true;
}

bool LoadedCode::CorrectData(const CodeObject& object, HostPc base, std::uint8_t* code) const {
  const auto moved = static_cast<std::int64_t>(base - object.place.base);
  if (moved == 0) return true;
  for (const std::uint32_t at : object.controls) {
    std::uint32_t distance = 0;
    std::memcpy(&distance, code + at, sizeof distance);
    distance -= static_cast<std::uint32_t>(moved);
    std::memcpy(code + at, &distance, sizeof distance);
  }
  for (const std::uint32_t at : object.data) {
    std::int32_t distance = 0;
    std::memcpy(&distance, code + at, sizeof distance);
    const std::int64_t corrected = distance - moved;
    distance = static_cast<std::int32_t>(corrected);
    if (distance != corrected) return false;
    std::memcpy(code + at, &distance, sizeof distance);
  }
  return true;
}

const LoadedCode::Piece* LoadedCode::Load(Mapping file, const CodeObject& object, CodeCache::Region* region) {
  const HostPc base = (region->hot + kCodeAlignment - 1) / kCodeAlignment * kCodeAlignment;
  const HostPc stubs = region->stubs;
  const std::uint64_t stubs_size = object.stubs.size() * CodeCache::kStubSize;
  if (!region->HasRoom(base - region->hot + object.code.size(), stubs_size)) return nullptr;
  std::uint8_t* const code = cache_->CopyIn(*region, base, object.code);
  if (!CorrectData(object, base, code)) return nullptr;
  region->hot = base + object.code.size();
  for (const std::uint64_t key : object.stubs) region->AddStub(key);
  for (const object::StubSite& site : object.stub_sites) {
    Lead(code, site.at, base, stubs + site.stub * CodeCache::kStubSize);
  }
  for (const object::Import& import : object.imports)
    linker_->Link(base + import.at, Entry::FromKey(import.key));
  pieces_.push_back({std::move(file), object, base, stubs});
  return &pieces_.back();
}

void LoadedCode::AdoptKnown(const Piece& piece) {
  std::vector<Block*> known;
  blocks_->ForEachIn(piece.object.place.begin, piece.object.place.end,
                     [&](Block* block) { known.push_back(block); });
  for (Block* const block : known) Adopt(block, piece);
}

void LoadedCode::Adopt(Block* block) const {
  for (const Piece& piece : pieces_) {
    if (block->pc >= piece.object.place.begin && block->pc < piece.object.place.end) Adopt(block, piece);
  }
}

void LoadedCode::Adopt(Block* block, const Piece& piece) const {
  const CodeObject& o = piece.object;
  const auto first_of = [block](std::span<const std::uint64_t> keys) {
    return static_cast<std::size_t>(std::lower_bound(keys.begin(), keys.end(), Entry{block->pc, Entry::kLeastPending}.key()) -
                                    keys.begin());
  };
  const auto is_of = [block](std::uint64_t key) { return Entry::FromKey(key).pc == block->pc; };
  for (std::size_t i = first_of(o.entries); i < o.entries.size() && is_of(o.entries[i]); ++i) {
    linker_->Adopt(block, Entry::FromKey(o.entries[i]), piece.At(o.fragments[o.entry_fragments[i]].begin),
                   true, {});
  }
  for (std::size_t i = first_of(o.stubs); i < o.stubs.size() && is_of(o.stubs[i]); ++i) {
    const auto [first, last] = std::equal_range(o.stub_sites.begin(), o.stub_sites.end(),
                                                object::StubSite{0, static_cast<std::uint32_t>(i)},
                                                [](const auto& a, const auto& b) { return a.stub < b.stub; });
    std::vector<HostPc> waiting;
    for (auto site = first; site != last; ++site) waiting.push_back(piece.At(site->at));
    linker_->Adopt(block, Entry::FromKey(o.stubs[i]), piece.stubs + i * CodeCache::kStubSize, false,
                   waiting);
  }
}

const LoadedCode::Piece* LoadedCode::Holding(HostPc at) const {
  const auto piece =
      std::find_if(pieces_.begin(), pieces_.end(), [at](const Piece& p) { return p.Holds(at); });
  return piece == pieces_.end() ? nullptr : &*piece;
}

const object::Trap* LoadedCode::TrapAt(HostPc at) const {
  const Piece* const piece = Holding(at);
  if (piece == nullptr) return nullptr;
  const auto offset = static_cast<std::uint32_t>(at - piece->base);
  const auto traps = piece->object.traps;
  const auto found = std::lower_bound(traps.begin(), traps.end(), offset,
                                      [](const object::Trap& trap, std::uint32_t value) { return trap.at < value; });
  return found == traps.end() || found->at != offset ? nullptr : &*found;
}

std::optional<Fragment> LoadedCode::FragmentAt(HostPc at) const {
  const Piece* const piece = Holding(at);
  if (piece == nullptr) return std::nullopt;
  const auto fragments = piece->object.fragments;
  const auto offset = static_cast<std::uint32_t>(at - piece->base);
  const auto after =
      std::upper_bound(fragments.begin(), fragments.end(), offset,
                       [](std::uint32_t value, const object::Fragment& fragment) { return value < fragment.begin; });
  if (after == fragments.begin()) return std::nullopt;
  const object::Fragment& u = *std::prev(after);
  if (offset >= u.begin + u.end) return std::nullopt;
  const Block* const block = blocks_->At(piece->object.place.begin + u.pc);
  if (block->instructions.size() != u.instructions)
    return std::nullopt;  // a file that changed under the program
  return Fragment{.begin = piece->At(u.begin),
              .block = block,
              .pending = u.pending,
              .lent = u.lent(),
              .on_way_back = u.on_way_back(),
              .added = u.added,
              .add_before = u.add_before,
              .add_length = u.add_length,
              .back_before = u.back_before,
              .end = u.end,
              .call_end = u.call_end,
              .trap_end = u.trap_end};
}

const LoadedCode::Piece* LoadedCode::Of(GuestPc begin) const {
  const auto found = std::find_if(pieces_.begin(), pieces_.end(),
                                  [begin](const Piece& p) { return p.object.place.begin == begin; });
  return found == pieces_.end() ? nullptr : &*found;
}

}  // namespace tally
