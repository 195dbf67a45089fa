#include "supervisor/translator/emit/linker.h"

#include <cstring>

namespace tally {

Destination* Linker::Search(Block* block, Entry entry) {
  Destination* destination = &block->destination;
  while (destination != nullptr && (destination->pending != entry.pending || destination->lent != entry.lent)) {
    destination = destination->next;
  }
  return destination;
}

Destination* Linker::Of(Block* block, Entry entry) {
  if (Destination* const found = Search(block, entry)) return found;
  Destination* const made = storage_.Room(1);
  storage_.Keep(1);
  *made = {.pending = static_cast<std::int16_t>(entry.pending), .lent = entry.lent, .next = block->destination.next};
  block->destination.next = made;
  return made;
}

bool Linker::Knows(Entry entry) const {
  const Destination* const found = Search(blocks_->Known(entry.pc), entry);
  return found != nullptr && (found->at != 0 || found->waiting != 0);
}

std::optional<HostPc> Linker::Find(Entry entry) const {
  const Destination* const found = Search(blocks_->Known(entry.pc), entry);
  if (found == nullptr || !found->translated) return std::nullopt;
  return found->at;
}

void Linker::Define(Entry entry, HostPc at) { Arrive(Of(entry), at); }

void Linker::Arrive(Destination* destination, HostPc at) {
  destination->at = at;
  destination->translated = true;
  if (const std::uint32_t last = PatchAll(*destination); last != 0) {
    sites_[last].next = free_;
    free_ = destination->waiting;
  }
  destination->waiting = 0;
}

void Linker::Await(Destination* destination, HostPc displacement_at) {
  std::uint32_t site = free_;
  if (site != 0) {
    free_ = sites_[site].next;
  } else {
    site = static_cast<std::uint32_t>(sites_.size());
    sites_.emplace_back();
  }
  sites_[site] = {displacement_at, destination->waiting};
  destination->waiting = site;
}

void Linker::Link(HostPc displacement_at, Entry entry) {
  if (journal_ != nullptr) journal_->Note(displacement_at, Journal::Site::Kind::kEntry, entry.key());
  Destination& destination = *Of(entry);
  if (destination.at != 0) {
    PatchLater(displacement_at, destination.at);
  } else if (destination.waiting == 0) {
    without_stub_.push_back(entry);
  }
  if (!destination.translated) Await(&destination, displacement_at);
}

void Linker::Adopt(Block* block, Entry entry, HostPc at, bool translated, const std::vector<HostPc>& waiting) {
  Destination* const destination = Of(block, entry);
  if (entry.pending != 0) ++block->variants;
  if (destination->translated) {
    for (const HostPc displacement_at : waiting) PatchLater(displacement_at, destination->at);
  } else if (translated) {
    Arrive(destination, at);
  } else {
    if (destination->at == 0) destination->at = at;
    for (const HostPc displacement_at : waiting) Await(destination, displacement_at);
  }
}

std::uint32_t Linker::PatchAll(const Destination& destination) {
  std::uint32_t last = 0;
  for (std::uint32_t i = destination.waiting; i != 0; i = sites_[i].next) {
    PatchLater(sites_[i].displacement_at, destination.at);
    last = i;
  }
  return last;
}

void Linker::MakeStubs(CodeCache::Region* region) {
  for (const Entry entry : without_stub_) {
    Destination& destination = *Of(entry);
    if (destination.at != 0) continue;
    destination.at = region->AddStub(entry.key());
    PatchAll(destination);
  }
  without_stub_.clear();
}

// Regions are too far apart for a direct jump between them: a thunk in the cold part takes it there.
Linker::Displacement Linker::DisplacementTo(HostPc displacement_at, HostPc to) {
  auto distance = static_cast<std::int64_t>(to - (displacement_at + 4));
  if (distance != static_cast<std::int32_t>(distance)) {
    auto* const region = const_cast<CodeCache::Region*>(cache_->Holding(displacement_at));
    distance = static_cast<std::int64_t>(ThunkFor(to, region) - (displacement_at + 4));
  }
  return {displacement_at, static_cast<std::int32_t>(distance)};
}

// Every branch target of a code region but the first leads to the same end of its chain, so most thunks have been made.
HostPc Linker::ThunkFor(HostPc to, CodeCache::Region* region) {
  HostPc& thunk = thunks_[region->offset / CodeCache::kRegionSize][to];
  if (thunk != 0) return thunk;
  thunk = region->cold;
  // The program may have alignment checks on.
  constexpr std::size_t kJumpSize = 6;
  const HostPc behind = thunk + kJumpSize;
  const auto padding = static_cast<std::uint8_t>(-behind % sizeof to);
  const std::uint8_t jump[kJumpSize] = {0xff, 0x25, padding, 0, 0, 0};  // jmp [rip + padding]
  std::uint8_t* const code = region->ClaimCold(kJumpSize + padding + sizeof to);
  std::memcpy(code, jump, sizeof jump);
  std::memcpy(code + kJumpSize + padding, &to, sizeof to);
  return thunk;
}

void Linker::Write(Displacement displacement) {
  std::memcpy(cache_->Ours(displacement.at), &displacement.value, sizeof displacement.value);
}

void Linker::Patch(HostPc displacement_at, HostPc to) {
  if (journal_ != nullptr) journal_->Note(displacement_at, Journal::Site::Kind::kCode, to);
  PatchLater(displacement_at, to);
}

void Linker::PatchNow(HostPc displacement_at, HostPc to) { Write(DisplacementTo(displacement_at, to)); }

void Linker::Publish(const CodeCache::Region& old) {
  const auto is_new = [&](const Displacement& d) {
    return old.Contains(d.at) && (d.at >= old.cold || (d.at >= old.hot && d.at < old.base + CodeCache::kHotSize));
  };
  for (const Displacement& d : patches_) {
    if (is_new(d)) Write(d);
  }
  for (const Displacement& d : patches_) {
    if (!is_new(d)) Write(d);
  }
  patches_.clear();
}

void Linker::Clear() {
  patches_.clear();
  for (auto& thunks : thunks_) thunks.clear();
  storage_.Clear();
  sites_.assign(1, {});
  free_ = 0;
  without_stub_.clear();
}

}  // namespace tally
