// What translated code needs beside registers: counters, places to put a register for a moment, and the tables that
// turn a guest address into a host address. It lies behind gs, which no ordinary program uses, so every thread of
// the program has its own and all of them run the same code.
//
//   page 0       read and write: counters, spilled registers
//   return table read-only for the program: 65536 host addresses of landings, by the low 16 bits of the guest address
//   jump table   the same for indirect jumps and calls
//
// The supervisor has the same memory mapped and reads the count at any time without a stop.
#pragma once

#include <cstdint>

#include "base/shared_memory.h"

namespace tally {

using HostPc = std::uint64_t;  // an address of translated code, in the program's address space

namespace control {
// Offsets from gs.
inline constexpr std::uint32_t kSpillR11 = 0x40;
inline constexpr std::uint32_t kTarget = 0x48;
inline constexpr std::uint32_t kSpillRcx = 0x50;
inline constexpr std::uint32_t kSpillForCount = 0x58;
inline constexpr std::uint32_t kSystemCalls = 0x60;
inline constexpr std::uint32_t kCounters = 0x100;
// Consecutive additions to one word wait for each other (store forwarding), so they take turns; the count is the sum.
inline constexpr std::uint32_t kCounterSlots = 16;
inline constexpr std::uint32_t kTableEntries = 65536;
inline constexpr std::uint32_t kTableBytes = kTableEntries * 8;
inline constexpr std::uint32_t kReturnTable = 0x100000;
inline constexpr std::uint32_t kJumpTable = kReturnTable + kTableBytes;
inline constexpr std::uint32_t kSize = kJumpTable + kTableBytes;
}  // namespace control

enum class Table : std::uint8_t { kReturn, kJump };

class ControlArea {
 public:
  ControlArea();
  // Where the program has it: at random, because page 0 is the one place where it could change the count. It is told
  // by nothing (gs cannot be read), and no time limit lets it try all places.
  [[nodiscard]] std::uint64_t address() const { return address_; }
  [[nodiscard]] int fd() const { return memory_.fd(); }

  [[nodiscard]] std::uint64_t Count() const;
  // Instructions and system calls executed but not added yet, or the reverse.
  void Correct(std::int64_t instructions, std::int64_t calls);
  [[nodiscard]] std::uint64_t SystemCalls() const { return Word(control::kSystemCalls); }
  [[nodiscard]] std::uint64_t Word(std::uint32_t offset) const;

  void FillTable(Table table, HostPc miss);
  void SetEntry(Table table, std::uint64_t guest, HostPc landing);

 private:
  [[nodiscard]] volatile std::uint64_t* At(std::uint32_t offset) const;

  std::uint64_t address_;
  SharedMemory memory_{"tally-control", control::kSize};
};

}  // namespace tally
