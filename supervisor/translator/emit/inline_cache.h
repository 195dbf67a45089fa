// Indirect calls, and indirect jumps through memory, mostly go where they went last time. Two comparisons with known
// targets in front of the table lookup save a mispredicted jump.
//
//   mov rcx, -target;  lea rcx, [rcx + r11];  jrcxz hit;  ... the same for a second ...;  tail: through the table
//
// At first the tail is a trap: the supervisor fills in the target that was met, and after the last way the real tail.
// Where a target can be guessed the first way is filled in at once (Expect).
#pragma once

#include <cstdint>

#include "supervisor/translator/cache/code_cache.h"
#include "supervisor/translator/emit/address_map.h"
#include "supervisor/translator/emit/emitter.h"
#include "supervisor/translator/emit/linker.h"

namespace tally {

class InlineCaches {
 public:
  static constexpr int kWays = 2;
  // How far one reaches to both sides of its trap.
  static constexpr std::uint64_t kBefore = 32, kBehind = 48;

  explicit InlineCaches(Pool* pool) : used_(pool) {}

  // r11 is the target, and lent. The result is where the trap is.
  HostPc Emit(CodeCache* cache, Emitter* out);
  // The next way of the inline cache whose trap is at `at`, which must be free, is for `target`. The result is the
  // displacement of the jump there.
  HostPc Expect(HostPc at, GuestPc target, CodeCache* cache);
  bool Remember(HostPc at, GuestPc target, HostPc host, CodeCache* cache, Linker* linker);
  // One that was emitted elsewhere, with so many ways used.
  void Adopt(HostPc at, int used) { used_.At(at) = used; }
  [[nodiscard]] int UsedAt(HostPc at) const;
  // Of a way that is used: its target, and the displacement of the jump there.
  struct Way {
    GuestPc target;
    HostPc displacement_at;
  };
  static Way WayOf(HostPc at, int way, CodeCache* cache);
  void Clear() { used_.Clear(); }

 private:
  AddressMap<int, 6> used_;  // ways of the inline cache whose trap is there
};

}  // namespace tally
