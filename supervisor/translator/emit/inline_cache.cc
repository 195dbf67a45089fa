#include "supervisor/translator/emit/inline_cache.h"

#include <cstring>

namespace tally {
namespace {

constexpr std::uint64_t kNoTarget = 0x7fffffffffffffff;
constexpr std::uint8_t kTrap = 0xcc;
constexpr std::uint8_t kNop = 0x90;
constexpr std::uint8_t kTail = 0x41;  // what the trap stands in for: the first byte of DispatchThrough

// Every inline cache is laid out alike, around its trap.
constexpr std::uint64_t kWaySize = 16;
constexpr std::uint64_t kTailSize = 16;
constexpr std::uint64_t kHitSize = 16;
constexpr std::uint64_t kStoreSize = 9;  // of rcx; and to load it
static_assert(InlineCaches::kBefore == InlineCaches::kWays * kWaySize);
static_assert(InlineCaches::kBehind == kTailSize + InlineCaches::kWays * kHitSize);
constexpr HostPc TargetOf(HostPc trap, int way) { return trap - (InlineCaches::kWays - static_cast<std::uint64_t>(way)) * kWaySize + 2; }
constexpr HostPc HitOf(HostPc trap, int way) { return trap + kTailSize + static_cast<std::uint64_t>(way) * kHitSize; }
constexpr HostPc DisplacementOf(HostPc trap, int way) { return HitOf(trap, way) + kStoreSize + 1; }

}  // namespace

HostPc InlineCaches::Emit(CodeCache* cache, Emitter* out) {
  out->AlignWord(kStoreSize + 2);  // and with it every other word that is patched
  out->StoreRcx(control::kSpillRcx);
  const HostPc trap = out->here() + kWays * kWaySize;
  for (int way = 0; way < kWays; ++way) {
    out->Bytes({0x48, 0xb9});  // mov rcx, imm64
    out->Word64(kNoTarget);
    out->Bytes({0x4a, 0x8d, 0x0c, 0x19});  // lea rcx, [rcx + r11]
    out->Byte(0xe3);                       // jrcxz hit
    out->Byte(static_cast<std::uint8_t>(HitOf(trap, way) - (out->here() + 1)));
  }
  out->DispatchThrough(Table::kJump);
  out->Bytes({kNop, kNop, kNop, kNop, kNop});  // never executed; they bring the displacements below to where they may be patched
  for (int way = 0; way < kWays; ++way) {
    out->LoadRcx(control::kSpillRcx);
    out->Jump();
    out->Bytes({kNop, kNop});
  }
  *cache->Ours(trap) = kTrap;
  used_.At(trap) = 0;
  return trap;
}

HostPc InlineCaches::Expect(HostPc at, GuestPc target, CodeCache* cache) {
  int& used = used_.At(at);
  const std::uint64_t negative = -target;
  std::memcpy(cache->Ours(TargetOf(at, used)), &negative, sizeof negative);
  return DisplacementOf(at, used++);
}

int InlineCaches::UsedAt(HostPc at) const {
  const int* const used = used_.Find(at);
  return used == nullptr ? 0 : *used;
}

InlineCaches::Way InlineCaches::WayOf(HostPc at, int way, const std::uint8_t* trap) {
  std::uint64_t negative = 0;
  std::memcpy(&negative, trap - (at - TargetOf(at, way)), sizeof negative);
  const HostPc displacement_at = DisplacementOf(at, way);
  std::int32_t distance = 0;
  std::memcpy(&distance, trap + (displacement_at - at), sizeof distance);
  return {-negative, displacement_at, displacement_at + sizeof distance + static_cast<HostPc>(std::int64_t{distance})};
}

HostPc InlineCaches::Remember(HostPc at, GuestPc target, HostPc host, CodeCache* cache, Linker* linker) {
  const int used = UsedAt(at);
  linker->PatchNow(DisplacementOf(at, used), host);  // first: who finds the target goes there
  Expect(at, target, cache);
  return HitOf(at, used);
}

void InlineCaches::BeDone(HostPc at, CodeCache* cache) { *cache->Ours(at) = kTail; }

}  // namespace tally
