#include "supervisor/translator/linker.h"

#include <cstring>
#include <utility>

namespace tally {

std::optional<HostPc> Linker::Find(Entry entry) const {
  const auto found = made_.find(entry.key());
  if (found == made_.end()) return std::nullopt;
  return found->second;
}

void Linker::Define(Entry entry, HostPc at) {
  made_[entry.key()] = at;
  const auto found = waiting_.find(entry.key());
  if (found == waiting_.end()) return;
  for (const HostPc site : found->second) Patch(site, at);
  waiting_.erase(found);
  stubs_.erase(entry.key());
}

void Linker::Link(HostPc displacement_at, Entry entry) {
  const std::uint64_t key = entry.key();
  if (const auto made = made_.find(key); made != made_.end()) {
    Patch(displacement_at, made->second);
    return;
  }
  std::vector<HostPc>& sites = waiting_[key];
  sites.push_back(displacement_at);
  if (const auto stub = stubs_.find(key); stub != stubs_.end()) {
    Patch(displacement_at, stub->second);
  } else if (sites.size() == 1) {
    without_stub_.push_back(key);
  }
  wanted_.push_back(entry);
}

std::vector<Entry> Linker::TakeWanted() { return std::exchange(wanted_, {}); }

// Zones are too far apart for a direct jump between them: a thunk in the cold part takes it there.
Linker::Displacement Linker::DisplacementTo(HostPc displacement_at, HostPc to) {
  auto distance = static_cast<std::int64_t>(to - (displacement_at + 4));
  if (distance != static_cast<std::int32_t>(distance)) {
    auto* const zone = const_cast<CodeCache::Zone*>(cache_->Holding(displacement_at));
    const HostPc thunk = zone->cold;
    std::uint8_t* const code = cache_->Ours(thunk);
    constexpr std::uint8_t kJumpThroughNextWord[] = {0xff, 0x25, 0, 0, 0, 0};  // jmp [rip + 0]
    std::memcpy(code, kJumpThroughNextWord, sizeof kJumpThroughNextWord);
    std::memcpy(code + sizeof kJumpThroughNextWord, &to, sizeof to);
    zone->cold += sizeof kJumpThroughNextWord + sizeof to;
    distance = static_cast<std::int64_t>(thunk - (displacement_at + 4));
  }
  return {displacement_at, static_cast<std::int32_t>(distance)};
}

void Linker::Write(Displacement displacement) {
  std::memcpy(cache_->Ours(displacement.at), &displacement.value, sizeof displacement.value);
}

void Linker::Patch(HostPc displacement_at, HostPc to) { waiting_patches_.push_back(DisplacementTo(displacement_at, to)); }

void Linker::PatchNow(HostPc displacement_at, HostPc to) { Write(DisplacementTo(displacement_at, to)); }

void Linker::Publish(const CodeCache::Zone& old) {
  const auto is_new = [&](const Displacement& d) {
    return old.Contains(d.at) && (d.at >= old.cold || (d.at >= old.hot && d.at < old.base + CodeCache::kHotSize));
  };
  for (const Displacement& d : waiting_patches_) {
    if (is_new(d)) Write(d);
  }
  for (const Displacement& d : waiting_patches_) {
    if (!is_new(d)) Write(d);
  }
  waiting_patches_.clear();
}

void Linker::Clear() {
  waiting_patches_.clear();
  made_.clear();
  waiting_.clear();
  stubs_.clear();
  without_stub_.clear();
  wanted_.clear();
}

}  // namespace tally
