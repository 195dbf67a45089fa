// From a host address back to the guest: where in the program it is, and how many instructions were executed that the
// counters do not have yet, or the reverse. Faults and signals need it.
//
// A unit is one translation of one block. Its code stands in the order of the zone, so the unit of an address is
// found by halving. Within it the record says where each guest instruction's code begins and where the counter is
// advanced:
//
//   executed = pending at entry + instructions before this one      added = 0, or the unit's sum behind its add
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "supervisor/translator/blocks.h"
#include "supervisor/translator/control_area.h"

namespace tally {

struct Unit {
  HostPc begin = 0;
  HostPc end = 0;
  const Block* block = nullptr;
  std::uint32_t pending = 0;
  std::uint32_t added = 0;
  HostPc add_end = 0;   // behind the code that adds, to the count of system calls too if the block ends in one
  HostPc call_end = 0;  // behind a syscall instruction
  HostPc trap_end = 0;  // behind a copied int3 or int1, which stop behind themselves
  std::vector<std::uint16_t> starts;  // of each guest instruction's code, from begin
};

// The guest's place for a host address.
struct GuestPlace {
  GuestPc pc = 0;
  std::int64_t uncounted = 0;  // to be added to the counters
  std::int64_t uncounted_calls = 0;
  // The registers are the guest's own here. If not: r11 is in control::kSpillR11.
  bool clean = false;
  const Instruction* instruction = nullptr;
  bool after_call = false;  // right behind a syscall instruction; rcx is to be the next guest address
};

class Units {
 public:
  // Units of one zone come in ascending order.
  void Add(HostPc zone, Unit unit);

  std::optional<GuestPlace> PlaceOf(HostPc at) const;
  void Clear() { zones_.clear(); }

 private:
  std::unordered_map<std::uint64_t, std::vector<Unit>> zones_;
};

}  // namespace tally
