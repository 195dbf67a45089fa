// Indirect calls, and indirect jumps through memory, mostly go where they went last time. Two comparisons with known
// targets in front of the table lookup save a mispredicted jump.
//
//   mov rcx, -target;  lea rcx, [rcx + r11];  jrcxz hit;  ... the same for a second ...;  tail: through the table
//
// At first the tail is a trap: the supervisor fills in the target that was met, and after the last way the real tail. A call that returns
// soon from there is led to a translation of its own (emit_way_back.cc).
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
  // The same for `target`, whose translation is `host`. The result is where a task that trapped goes on to it.
  HostPc Remember(HostPc at, GuestPc target, HostPc host, CodeCache* cache, Linker* linker);
  // All ways are used: from now on others go through the table.
  static void BeDone(HostPc at, CodeCache* cache);
  // One that was emitted elsewhere, with so many ways used.
  void Adopt(HostPc at, int used) { used_.At(at) = used; }
  [[nodiscard]] int UsedAt(HostPc at) const;
  // Of a way that is used: its target, the displacement of the jump there, and where that leads.
  struct Way {
    GuestPc target;
    HostPc displacement_at;
    HostPc to;
  };
  // Of the inline cache whose trap is at `at`; our mapping of it is `trap`.
  static Way WayOf(HostPc at, int way, const std::uint8_t* trap);
  void Clear() { used_.Clear(); }

 private:
  AddressMap<int, 6> used_;  // ways of the inline cache whose trap is there
};

}  // namespace tally
