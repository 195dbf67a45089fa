// Indirect calls, and indirect jumps through memory, mostly go where they went last time. Two comparisons with known
// targets in front of the table lookup save a mispredicted jump.
//
//   mov rcx, -target;  lea rcx, [rcx + r11];  jrcxz hit;  ... the same for a second ...;  tail: through the table
//
// At first the tail is a trap: the supervisor fills in the target that was met, and after the last way the real tail.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "supervisor/translator/code_cache.h"
#include "supervisor/translator/emitter.h"
#include "supervisor/translator/linker.h"

namespace tally {

class InlineCaches {
 public:
  static constexpr int kWays = 2;

  // r11 is the target, the guest's r11 in control::kSpillR11. The result is where the trap is.
  HostPc Emit(CodeCache* cache, Emitter* out);
  bool Remember(HostPc at, GuestPc target, HostPc host, CodeCache* cache, Linker* linker);
  void Clear() { sites_.clear(); }

 private:
  struct Site {
    std::vector<HostPc> targets;  // where each way's -target lies
    std::vector<HostPc> hits;     // displacement of each way's jump
    std::uint8_t tail_byte = 0;   // what the trap stands in for
    std::size_t used = 0;
  };
  std::unordered_map<HostPc, Site> sites_;
};

}  // namespace tally
