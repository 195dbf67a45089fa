#include "supervisor/translator/persist/object_maker.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

namespace tally {
namespace {

constexpr std::uint32_t kAlignment = 64;
// A displacement that may be patched does not cross eight bytes (emitter.h), so bytes keep their places
// within eight.
constexpr std::uint64_t kKept = 8;
constexpr std::uint64_t kLeastCode = 256;
constexpr std::uint64_t kLeastPart = 32;       // of what was loaded
constexpr std::uint64_t kMostCode = 32U << 20;  // what 20 MiB of it, a compiler's, cost a start is 80 ms

// With what is pending handed on, so that it matters what follows.
bool JumpsDirectly(Flow flow) {
  return flow == Flow::kConditional || flow == Flow::kJump || flow == Flow::kLoop;
}

}  // namespace

ObjectMaker::ObjectMaker(const Sources& sources, GuestPc begin, GuestPc end, const LoadedCode::Piece* loaded)
    : from_(sources), begin_(begin), end_(end), loaded_(loaded) {
  TakeParts(loaded);
  TakeFragments();
  TakeTraps();
  TakeSites();
  if (loaded != nullptr) TakeLoadedSites(*loaded);
}

std::optional<std::vector<std::uint8_t>> ObjectMaker::Make(const ObjectKey& key) {
  LeaveOut();
  if (!IsWorthwhile()) return std::nullopt;
  LayOut();
  WriteFragments();
  WriteSites();
  if (!WritePages()) return std::nullopt;
  return WriteObject(lists_, {begin_, end_, from_.cache->Near(begin_)->base, base_}, key);
}

// What there is -----------------------------------------------------------------------------------------

void ObjectMaker::TakeParts(const LoadedCode::Piece* loaded) {
  parts_.emplace_back();
  if (loaded != nullptr) parts_[0].hot = {loaded->base, loaded->base + loaded->object.code.size()};
  for (const Journal::Chain& chain : from_.journal.chains()) {
    if (!IsOurs(chain.pc) || chain.hot == chain.hot_end) continue;
    Part& part = parts_.emplace_back();
    part.hot = {chain.hot, chain.hot_end};
    part.cold = {chain.cold, chain.cold_end};
  }
  for (Part& part : parts_) {
    for (Part::Stretch* const stretch : {&part.hot, &part.cold}) {
      if (stretch->begin != stretch->end) places_.push_back({stretch->begin, stretch->end, &part, stretch});
    }
  }
  std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) { return a.begin < b.begin; });
}

std::optional<ObjectMaker::Place> ObjectMaker::Find(HostPc at) {
  if (at - found_.begin >= found_.end - found_.begin) Search(at);
  if (found_.part == nullptr) return std::nullopt;
  return found_;
}

void ObjectMaker::Search(HostPc at) {
  const auto after = std::upper_bound(places_.begin(), places_.end(), at,
                                      [](HostPc value, const Place& place) { return value < place.begin; });
  const HostPc behind = after == places_.end() ? ~HostPc{0} : after->begin;
  if (after == places_.begin()) {
    found_ = {0, behind, nullptr, nullptr};
  } else if (const Place& before = *std::prev(after); at < before.end) {
    found_ = before;
  } else {
    found_ = {before.end, behind, nullptr, nullptr};
  }
}

bool ObjectMaker::DependsOnMore(const Block& block) const {
  if (block.runs_off || block.instructions.empty() || !IsOurs(block.pc) || !IsOurs(block.next())) return true;
  return JumpsDirectly(block.end) && !IsOurs(block.last().target());
}

void ObjectMaker::TakeFragments() {
  from_.fragments.ForEach([this](const Fragment& fragment) {
    const auto place = Find(fragment.begin);
    if (!place) return;
    Part& part = *place->part;
    const Block& block = *fragment.block;
    if (DependsOnMore(block)) part.good = false;
    if (block.end == Flow::kCall || block.end == Flow::kIndirectCall) part.returns.push_back(block.next());
    if (fragment.on_way_back) ways_back_.insert(fragment.begin);
    part.fragments.push_back(fragment);
  });
  if (loaded_ == nullptr) return;
  for (const object::Fragment& fragment : loaded_->object.fragments) {
    if (fragment.on_way_back()) ways_back_.insert(loaded_->At(fragment.begin));
  }
}

void ObjectMaker::TakeTraps() {
  from_.traps.ForEach([this](HostPc at, const Trap& trap) { TakeTrap(at, trap); });
  if (loaded_ == nullptr) return;
  for (const object::Trap& trap : loaded_->object.traps) {
    const HostPc at = loaded_->At(trap.at);
    if (from_.traps.Find(at) == nullptr) TakeTrap(at, {static_cast<Trap::Kind>(trap.kind), Entry::FromKey(trap.key)});
  }
}

void ObjectMaker::TakeTrap(HostPc at, const Trap& trap) {
  const auto place = Find(at);
  if (!place) return;
  const int used = trap.kind == Trap::Kind::kInlineCache ? from_.inline_caches.UsedAt(at) : 0;
  if (!Trap::CanBeKept(trap.kind)) {
    place->part->good = false;
    return;
  }
  for (int way = 0; way < used; ++way) {
    const InlineCaches::Way found = InlineCaches::WayOf(at, way, from_.cache->Ours(at));
    entries_at_[found.displacement_at] = Entry{found.target, 0, true}.key();
    if (ways_back_.contains(found.to)) ways_back_at_[found.displacement_at] = found.to;
  }
  constexpr std::uint8_t kTrap = 0xcc;
  if (*from_.cache->Ours(at) == kTrap) traps_.push_back({at, trap, used});
}

void ObjectMaker::TakeSites() {
  std::unordered_set<HostPc> to_next_landing;
  from_.branch_targets.ForEach([&](const BranchTargets::BranchTarget& branch_target) {
    if (!Find(branch_target.at)) return;
    branch_targets_.push_back(branch_target);
    to_next_landing.insert(branch_target.otherwise);
  });
  for (const Journal::Site& site : from_.journal.sites()) {
    const auto place = Find(site.at);
    if (!place || place->part == parts_.data() || to_next_landing.contains(site.at)) continue;
    switch (site.kind) {
      case Journal::Site::Kind::kEntry:
        entries_at_[site.at] = site.to;
        break;
      case Journal::Site::Kind::kCode:
        code_at_[site.at] = site.to;
        break;
      case Journal::Site::Kind::kData:
        data_at_.push_back(site.at);
        break;
    }
  }
  for (const HostPc at : from_.journal.controls()) {
    const auto place = Find(at);
    if (place && place->part != parts_.data()) controls_at_.push_back(at);
  }
  for (const auto& [at, key] : entries_at_) code_at_.erase(at);
  for (const auto& [at, to] : code_at_) Find(at)->part->leads_to.push_back(to);
}

void ObjectMaker::TakeLoadedSites(const LoadedCode::Piece& loaded) {
  const CodeObject& o = loaded.object;
  for (const std::uint32_t at : o.data) data_at_.push_back(loaded.At(at));
  for (const std::uint32_t at : o.controls) controls_at_.push_back(loaded.At(at));
  for (const object::StubSite& site : o.stub_sites)
    entries_at_.emplace(loaded.At(site.at), o.stubs[site.stub]);
  for (const object::Import& import : o.imports) entries_at_.emplace(loaded.At(import.at), import.key);
}

// What of it is taken ---------------------------------------------------------------------------------------

void ObjectMaker::LeaveOut() {
  for (bool again = true; again;) {
    again = false;
    std::unordered_set<GuestPc> landed;
    for (const BranchTargets::BranchTarget& branch_target : branch_targets_) {
      if (branch_target.table == Table::kReturn && Find(branch_target.at)->part->good) landed.insert(branch_target.pc);
    }
    for (Part& part : parts_) {
      if (!part.good) continue;
      const bool returns = std::all_of(part.returns.begin(), part.returns.end(),
                                       [&](GuestPc pc) { return landed.contains(pc); });
      const bool leads = std::all_of(part.leads_to.begin(), part.leads_to.end(), [&](HostPc to) {
        const auto place = Find(to);
        return place && place->part->good;
      });
      part.good = returns && leads;
      again = again || !part.good;
    }
  }
}

bool ObjectMaker::MayBeWorthwhile(const Journal& journal, GuestPc begin, GuestPc end, const LoadedCode::Piece* loaded) {
  std::uint64_t fresh = 0;
  for (const Journal::Chain& chain : journal.chains()) {
    if (chain.pc >= begin && chain.pc < end) fresh += chain.hot_end - chain.hot;
  }
  return fresh >= kLeastCode && (loaded == nullptr || fresh >= loaded->object.code.size() / kLeastPart);
}

bool ObjectMaker::IsWorthwhile() const {
  std::uint64_t fresh = 0;
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    if (parts_[i].good) fresh += parts_[i].hot.end - parts_[i].hot.begin;
  }
  const std::uint64_t before = parts_[0].hot.end - parts_[0].hot.begin;
  return fresh >= kLeastCode && fresh >= before / kLeastPart && before + fresh <= kMostCode;
}

void ObjectMaker::LayOut() {
  std::uint64_t size = 0;
  const auto lay = [&](Part::Stretch* stretch) {
    if (stretch->begin == stretch->end) return;
    size += (stretch->begin - size) % kKept;
    stretch->at = static_cast<std::uint32_t>(size);
    size += stretch->end - stretch->begin;
  };
  for (Part& part : parts_) {
    if (part.good) lay(&part.hot);
  }
  for (Part& part : parts_) {
    if (part.good) lay(&part.cold);
  }
  lists_.code.resize((size + kAlignment - 1) / kAlignment * kAlignment, 0xcc);
  base_ = from_.cache->Near(begin_)->base;
  for (const Place& place : places_) {
    if (!place.part->good) continue;
    const std::size_t length = place.stretch->end - place.stretch->begin;
    std::memcpy(lists_.code.data() + place.stretch->at, from_.cache->Ours(place.stretch->begin), length);
  }
}

std::optional<std::uint32_t> ObjectMaker::OffsetOf(HostPc at) {
  const auto place = Find(at);
  if (!place || !place->part->good) return std::nullopt;
  return static_cast<std::uint32_t>(place->stretch->at + (at - place->stretch->begin));
}

// The lists ------------------------------------------------------------------------------------------------

void ObjectMaker::WriteFragments() {
  if (loaded_ != nullptr) lists_.fragments.assign(loaded_->object.fragments.begin(), loaded_->object.fragments.end());
  for (const Part& part : parts_) {
    if (!part.good) continue;
    for (const Fragment& u : part.fragments) {
      lists_.fragments.push_back({.begin = *OffsetOf(u.begin),
                              .pc = static_cast<std::uint32_t>(u.block->pc - begin_),
                              .pending = u.pending,
                              .added = u.added,
                              .kind = static_cast<std::uint16_t>((u.lent ? object::Fragment::kLent : 0) | (u.on_way_back ? object::Fragment::kOnWayBack : 0)),
                              .add_before = u.add_before,
                              .add_length = u.add_length,
                              .back_before = u.back_before,
                              .end = u.end,
                              .call_end = u.call_end,
                              .trap_end = u.trap_end,
                              .instructions = static_cast<std::uint16_t>(u.block->instructions.size())});
    }
  }
  // One that has no code of its own, a jump to what follows, comes before what follows.
  std::sort(lists_.fragments.begin(), lists_.fragments.end(), [](const auto& a, const auto& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::vector<std::pair<std::uint64_t, std::uint32_t>> entries;
  for (std::uint32_t i = 0; i < lists_.fragments.size(); ++i) {
    const object::Fragment& fragment = lists_.fragments[i];
    if (!fragment.on_way_back()) entries.emplace_back(Entry{begin_ + fragment.pc, fragment.pending, fragment.lent()}.key(), i);
  }
  std::sort(entries.begin(), entries.end());
  for (const auto& [key, fragment] : entries) {
    if (!lists_.entries.empty() && lists_.entries.back() == key) continue;
    lists_.entries.push_back(key);
    lists_.entry_fragments.push_back(fragment);
  }
}

void ObjectMaker::Lead(std::uint32_t at, std::uint32_t to) {
  const std::uint32_t distance = to - (at + 4);
  std::memcpy(lists_.code.data() + at, &distance, sizeof distance);
}

void ObjectMaker::WriteDistances(const std::vector<HostPc>& sites, std::vector<std::uint32_t>* offsets) {
  for (const HostPc at : sites) {
    const auto offset = OffsetOf(at);
    if (!offset) continue;
    std::uint32_t distance = 0;
    std::memcpy(&distance, lists_.code.data() + *offset, sizeof distance);
    distance += static_cast<std::uint32_t>(at - (base_ + *offset));
    std::memcpy(lists_.code.data() + *offset, &distance, sizeof distance);
    offsets->push_back(*offset);
  }
  std::sort(offsets->begin(), offsets->end());
}

void ObjectMaker::WriteSites() {
  for (const auto& [at, to] : code_at_) {
    if (const auto offset = OffsetOf(at)) Lead(*offset, *OffsetOf(to));
  }
  WriteDistances(data_at_, &lists_.data);
  WriteDistances(controls_at_, &lists_.controls);

  std::vector<std::pair<std::uint64_t, std::uint32_t>> waiting;  // key, offset
  for (const auto& [at, key] : entries_at_) {
    const auto offset = OffsetOf(at);
    if (!offset) continue;
    const auto way_back = ways_back_at_.find(at);
    const auto begin = way_back == ways_back_at_.end() ? std::nullopt : OffsetOf(way_back->second);
    if (begin) {
      Lead(*offset, *begin);
      continue;
    }
    const auto known = std::lower_bound(lists_.entries.begin(), lists_.entries.end(), key);
    if (known != lists_.entries.end() && *known == key) {
      Lead(*offset,
           lists_.fragments[lists_.entry_fragments[static_cast<std::size_t>(known - lists_.entries.begin())]].begin);
    } else if (IsOurs(Entry::FromKey(key).pc)) {
      waiting.emplace_back(key, *offset);
    } else {
      lists_.imports.push_back({key, *offset});
    }
  }
  std::sort(lists_.imports.begin(), lists_.imports.end(),
            [](const auto& a, const auto& b) { return a.at < b.at; });
  std::sort(waiting.begin(), waiting.end());
  for (const auto& [key, offset] : waiting) {
    if (lists_.stubs.empty() || lists_.stubs.back() != key) lists_.stubs.push_back(key);
    lists_.stub_sites.push_back({offset, static_cast<std::uint32_t>(lists_.stubs.size() - 1)});
  }

  for (const TrapAt& t : traps_) {
    const auto offset = OffsetOf(t.at);
    if (!offset) continue;
    lists_.traps.push_back({t.trap.entry.key(), *offset, static_cast<std::uint16_t>(t.trap.kind),
                            static_cast<std::uint16_t>(t.used)});
  }
  std::sort(lists_.traps.begin(), lists_.traps.end(),
            [](const auto& a, const auto& b) { return a.at < b.at; });
  for (const BranchTargets::BranchTarget& branch_target : branch_targets_) {
    const auto offset = OffsetOf(branch_target.at);
    if (!offset) continue;
    lists_.branch_targets.push_back({branch_target.pc, *offset, *OffsetOf(branch_target.otherwise),
                               static_cast<std::uint32_t>(branch_target.table), branch_target.careful ? 1U : 0U});
  }
}

// All that a block was decoded from, liveness included, and what was compared before.
bool ObjectMaker::WritePages() {
  constexpr GuestPc kPageMask = ~GuestPc{CodeObject::kPage - 1};
  std::set<GuestPc> pages;
  from_.blocks.ForEachIn(begin_, end_, [&](const Block* block) {
    if (!block->decoded || block->instructions.empty()) return;
    for (GuestPc page = block->pc & kPageMask; page < block->next() && page < end_; page += CodeObject::kPage)
      pages.insert(page);
  });
  std::unordered_map<GuestPc, const std::uint8_t*> before;
  if (loaded_ != nullptr) {
    for (std::size_t i = 0; i < loaded_->object.pages.size(); ++i) {
      before[loaded_->object.pages[i]] = loaded_->object.page_bytes.data() + i * CodeObject::kPage;
      pages.insert(loaded_->object.pages[i]);
    }
  }
  for (const GuestPc page : pages) {
    const auto known = before.find(page);
    const std::uint8_t* const bytes =
        known != before.end() ? known->second : from_.code.CopyOfPage(page).data();
    if (bytes == nullptr) return false;
    lists_.pages.push_back(page);
    lists_.page_bytes.insert(lists_.page_bytes.end(), bytes, bytes + CodeObject::kPage);
  }
  return true;
}

}  // namespace tally
