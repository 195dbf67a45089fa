#include "supervisor/translator/cache/code_cache.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace tally {
namespace {

constexpr std::int64_t kReach = 0x74000000;    // with room for the zone itself and the data beside the code
constexpr GuestPc kLow = 0x80000000;           // executables without relocation lie below
constexpr HostPc kLowZone = 0x70000000;        // above their heap, which grows up from their end
constexpr std::uint64_t kBelowCode = 0x20000000;

}  // namespace

bool CodeCache::Zone::IsNearlyFull() const {
  return hot > full || cold > base + kStubs - kMargin || stubs > base + kZoneSize - kMargin;
}

bool CodeCache::Zone::HasRoom(std::uint64_t hot_bytes, std::uint64_t stub_bytes) const {
  return hot + hot_bytes <= full && stubs + stub_bytes <= base + kZoneSize - kMargin;
}

void CodeCache::Zone::Overrun() { throw SystemError("translator: a translation is longer than any can be", 0); }

HostPc CodeCache::Zone::AddStub(std::uint64_t word) {
  const HostPc at = stubs;
  std::uint8_t* const stub = Claim(&stubs, kStubSize, base + kZoneSize);
  *stub = 0xcc;  // int3
  std::memcpy(stub + 8, &word, sizeof word);
  return at;
}

std::optional<std::uint64_t> CodeCache::StubWord(HostPc at) const {
  const Zone* const zone = Holding(at);
  if (zone == nullptr || at < zone->base + kStubs || at >= zone->stubs || at % kStubSize != 0) return std::nullopt;
  std::uint64_t word = 0;
  std::memcpy(&word, zone->ours + (at - zone->base) + 8, sizeof word);
  return word;
}

HostPc CodeCache::PlaceFor(GuestPc pc) { return pc < kLow ? kLowZone : (pc & ~0xfffffULL) - kBelowCode; }

bool CodeCache::IsNear(HostPc base, GuestPc pc) {
  const auto distance = static_cast<std::int64_t>(pc - base);
  return distance > -kReach && distance < kReach;
}

CodeCache::Zone& CodeCache::AddZone(HostPc base) {
  if (zones_.size() == kZones) throw SystemError("translator: code in more places than there are zones for", 0);
  const std::uint64_t offset = zones_.size() * kZoneSize;
  zones_.reserve(kZones);
  zones_.push_back({base, ours_ + offset, offset, base, base + kHotSize, base + kStubs,
                    base + std::min(zone_bytes_, kHotSize - kMargin)});
  return zones_.back();
}

CodeCache::Zone* CodeCache::Near(GuestPc pc) {
  for (Zone& zone : zones_) {
    if (IsNear(zone.base, pc)) return &zone;
  }
  return nullptr;
}

bool CodeCache::Reaches(GuestPc pc, GuestPc data) {
  const Zone* const zone = Near(pc);
  if (zone == nullptr) return false;
  const auto fits = [](std::uint64_t distance) {
    const auto value = static_cast<std::int64_t>(distance);
    return value == static_cast<std::int32_t>(value);
  };
  return fits(data - zone->base) && fits(data - (zone->base + kZoneSize));
}

const CodeCache::Zone* CodeCache::Holding(HostPc at) const {
  for (const Zone& zone : zones_) {
    if (zone.Contains(at)) return &zone;
  }
  return nullptr;
}

std::uint8_t* CodeCache::Ours(HostPc at) {
  const Zone* const zone = Holding(at);
  if (zone == nullptr) throw SystemError("translator: an address outside the code cache", 0);
  return zone->ours + (at - zone->base);
}

std::uint64_t CodeCache::UsedBytes() const {
  std::uint64_t sum = 0;
  for (const Zone& zone : zones_) {
    sum += (zone.hot - zone.base) + (zone.cold - zone.base - kHotSize) + (zone.stubs - zone.base - kStubs);
  }
  return sum;
}

void CodeCache::Empty() {
  for (Zone& zone : zones_) {
    zone.hot = zone.base;
    zone.cold = zone.base + kHotSize;
    zone.stubs = zone.base + kStubs;
  }
}

}  // namespace tally
