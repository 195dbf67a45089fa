#include "supervisor/translator/inline_cache.h"

#include <cstring>

namespace tally {
namespace {

constexpr std::uint64_t kNoTarget = 0x7fffffffffffffff;
constexpr std::uint8_t kTrap = 0xcc;

}  // namespace

HostPc InlineCaches::Emit(CodeCache* cache, Emitter* out) {
  Site site;
  std::vector<HostPc> jumps;
  out->StoreRcx(control::kSpillRcx);
  for (int way = 0; way < kWays; ++way) {
    out->AlignWord(2);
    out->Bytes({0x48, 0xb9});  // mov rcx, imm64
    site.targets.push_back(out->here());
    out->Word64(kNoTarget);
    out->Bytes({0x4a, 0x8d, 0x0c, 0x19});  // lea rcx, [rcx + r11]
    out->Bytes({0xe3, 0});                 // jrcxz hit
    jumps.push_back(out->here());
  }
  const HostPc tail = out->here();
  out->LoadRcx(control::kSpillRcx);
  out->StoreR11(control::kTarget);
  out->DispatchThrough(Table::kJump);
  for (const HostPc jump : jumps) {
    *cache->Ours(jump - 1) = static_cast<std::uint8_t>(out->here() - jump);
    out->LoadRcx(control::kSpillRcx);
    out->LoadR11(control::kSpillR11);
    site.hits.push_back(out->Jump());
  }
  site.tail_byte = *cache->Ours(tail);
  *cache->Ours(tail) = kTrap;
  sites_.emplace(tail, std::move(site));
  return tail;
}

bool InlineCaches::Remember(HostPc at, GuestPc target, HostPc host, CodeCache* cache, Linker* linker) {
  const auto found = sites_.find(at);
  if (found == sites_.end()) return false;
  Site& site = found->second;
  if (site.used == site.targets.size()) {
    *cache->Ours(at) = site.tail_byte;
    sites_.erase(found);
    return false;
  }
  const std::uint64_t negative = -target;
  linker->PatchNow(site.hits[site.used], host);  // first: who finds the target goes there
  std::memcpy(cache->Ours(site.targets[site.used]), &negative, sizeof negative);
  ++site.used;
  return true;
}

}  // namespace tally
