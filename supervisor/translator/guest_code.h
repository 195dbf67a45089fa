// The guest memory map, as far as code goes: which addresses the program believes executable, and their bytes.
//
// In truth none of it is executable: the engine takes PROT_EXEC away from every mapping (so an escape from the
// translation faults) and notes here that the program has it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/mapping.h"
#include "supervisor/translator/decode.h"

namespace tally {

class GuestCode {
 public:
  void SetProcess(pid_t process) { process_ = process; }

  void Add(GuestPc begin, GuestPc end);
  void Remove(GuestPc begin, GuestPc end);
  [[nodiscard]] bool IsExecutable(GuestPc pc) const { return Find(pc) != nullptr; }
  [[nodiscard]] bool Overlaps(GuestPc begin, GuestPc end) const;

  // The bytes from `pc` to the end of its region, at most one instruction's worth; empty where nothing is executable.
  std::span<const std::uint8_t> BytesAt(GuestPc pc);

 private:
  struct Region {
    GuestPc begin, end;
    Mapping bytes;           // our copy, of what was read
    std::vector<bool> read;  // by chunk
  };
  [[nodiscard]] const Region* Find(GuestPc pc) const;
  void ReadChunk(Region* region, std::size_t chunk) const;

  pid_t process_ = -1;
  std::vector<Region> regions_;  // sorted, never touching: neighbours are one region
};

}  // namespace tally
