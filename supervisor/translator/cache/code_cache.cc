#include "supervisor/translator/cache/code_cache.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace tally {
namespace {

constexpr std::int64_t kReach = 0x74000000;    // with room for the code region itself and the data beside the code
constexpr GuestPc kLow = 0x80000000;           // executables without relocation lie below
constexpr HostPc kLowRegion = 0x70000000;        // above their heap, which grows up from their end
constexpr std::uint64_t kBelowCode = 0x20000000;

}  // namespace

bool CodeCache::Region::IsNearlyFull() const {
  return hot > full || cold > base + kStubs - kMargin || stubs > base + kRegionSize - kMargin;
}

bool CodeCache::Region::HasRoom(std::uint64_t hot_bytes, std::uint64_t stub_bytes) const {
  return hot + hot_bytes <= full && stubs + stub_bytes <= base + kRegionSize - kMargin;
}

void CodeCache::Region::Overrun() { throw SystemError("translator: a translation is longer than any can be", 0); }

HostPc CodeCache::Region::AddStub(std::uint64_t word) {
  const HostPc at = stubs;
  std::uint8_t* const stub = Claim(&stubs, kStubSize, base + kRegionSize);
  *stub = 0xcc;  // int3
  std::memcpy(stub + 8, &word, sizeof word);
  return at;
}

std::optional<std::uint64_t> CodeCache::StubWord(HostPc at) const {
  const Region* const region = Holding(at);
  if (region == nullptr || at < region->base + kStubs || at >= region->stubs || at % kStubSize != 0) return std::nullopt;
  std::uint64_t word = 0;
  std::memcpy(&word, region->ours + (at - region->base) + 8, sizeof word);
  return word;
}

HostPc CodeCache::PlaceFor(GuestPc pc) { return pc < kLow ? kLowRegion : (pc & ~0xfffffULL) - kBelowCode; }

bool CodeCache::IsNear(HostPc base, GuestPc pc) {
  const auto distance = static_cast<std::int64_t>(pc - base);
  return distance > -kReach && distance < kReach;
}

CodeCache::Region& CodeCache::AddRegion(HostPc base) {
  if (regions_.size() == kRegions) throw SystemError("translator: code in more places than there are regions for", 0);
  const std::uint64_t offset = regions_.size() * kRegionSize;
  regions_.reserve(kRegions);
  regions_.push_back({base, memory_->data() + offset, offset, base, base + kHotSize, base + kStubs,
                    base + std::min(region_bytes_, kHotSize - kMargin)});
  return regions_.back();
}

CodeCache::Region* CodeCache::Near(GuestPc pc) {
  for (Region& region : regions_) {
    if (IsNear(region.base, pc)) return &region;
  }
  return nullptr;
}

bool CodeCache::Reaches(GuestPc pc, GuestPc data) {
  const Region* const region = Near(pc);
  if (region == nullptr) return false;
  const auto fits = [](std::uint64_t distance) {
    const auto value = static_cast<std::int64_t>(distance);
    return value == static_cast<std::int32_t>(value);
  };
  return fits(data - region->base) && fits(data - (region->base + kRegionSize));
}

const CodeCache::Region* CodeCache::Holding(HostPc at) const {
  for (const Region& region : regions_) {
    if (region.Contains(at)) return &region;
  }
  return nullptr;
}

std::uint8_t* CodeCache::Ours(HostPc at) {
  const Region* const region = Holding(at);
  if (region == nullptr) throw SystemError("translator: an address outside the code cache", 0);
  return region->ours + (at - region->base);
}

std::uint8_t* CodeCache::CopyIn(const Region& region, HostPc at, std::span<const std::uint8_t> code) const {
  memory_->Write(region.offset + (at - region.base), code);
  return region.ours + (at - region.base);
}

std::uint64_t CodeCache::UsedBytes() const {
  std::uint64_t sum = 0;
  for (const Region& region : regions_) {
    sum += (region.hot - region.base) + (region.cold - region.base - kHotSize) + (region.stubs - region.base - kStubs);
  }
  return sum;
}

void CodeCache::Empty() {
  for (Region& region : regions_) {
    region.hot = region.base;
    region.cold = region.base + kHotSize;
    region.stubs = region.base + kStubs;
  }
}

}  // namespace tally
