// What translated code needs beside registers: counters, places to put a register for a moment, and the tables that
// turn a guest address into a host address. It lies behind gs, which no ordinary program uses, so every task of the
// program has a page of its own and all of them run the same code.
//
//   gs            the task's page, read and write: counters, spilled registers
//   kReturnTable  read-only for the program: 65536 host addresses of branch targets, by the low 16 bits of the guest address
//   kJumpTable    the same for indirect jumps and calls
//   kClockTable   likewise: where our own code for each question about the time begins (clock_code.h), and that behind calls that tell
//                 of files (status_code.h)
//
// To fill and free a megabyte of tables was a third of what translation added to a small program's start. So where there is one task
// the tables are narrow at first: 8192 entries each, by the low 13 bits, which the program has eight times one behind the other, so that the same code
// finds them. They become wide when there are many branch targets, or the program makes code (Guest::WidenTables).
//
// The tables lie where everybody knows. The pages are secret, so nothing else may lie near them: the more there is, the
// sooner who tries addresses finds it. The supervisor has all of it mapped and reads a count at any time without a stop.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/shared_memory.h"

namespace tally {

using HostPc = std::uint64_t;  // an address of translated code, in the program's address space

namespace control {
// Offsets from gs.
inline constexpr std::uint32_t kLentR11 = 0x40;  // the program's r11 while the register is lent (translator.h)
inline constexpr std::uint32_t kLogEnd = 0x48;   // where the next entry is noted down (task_log.h)
inline constexpr std::uint32_t kSpillRcx = 0x50;
inline constexpr std::uint32_t kSpillForCount = 0x58;
inline constexpr std::uint32_t kSystemCalls = 0x60;
inline constexpr std::uint32_t kCallNumber = 0x68;  // of the last system call
// Where tasks take turns (turns.h), additions take off the budget instead: what was executed is what was given less what is left.
inline constexpr std::uint32_t kTurnBudget = 0x70, kTurnGiven = 0x78;
inline constexpr std::uint32_t kScratch = 0x80;     // of the supervisor: four words
// Of clock_code.h. Set by the supervisor; whatever it is while the other tasks execute something is wrong.
inline constexpr std::uint32_t kClockOn = 0xa0;      // 0: the supervisor answers
inline constexpr std::uint32_t kClockOthers = 0xa8;  // instructions beside those of this page
inline constexpr std::uint32_t kClockSince = 0xb0;   // nanoseconds beyond those that were executed
inline constexpr std::uint32_t kClockDate = 0xb8;    // the same, and those from 1970 to the start
inline constexpr std::uint32_t kClockTicks = 0xc0;   // of the time stamp counter, beyond instructions
// Not 0: the task's flags may be such as it knows nothing of. Set in front of each popf; the supervisor takes it back when it sees the flags.
inline constexpr std::uint32_t kClockUnusual = 0xc8;
// The program's rcx while code of ours in front of a system call needs it (Translator::SpillsRcxBeforeCall).
inline constexpr std::uint32_t kCallRcx = 0xd0;
// Of clock_code.h alone.
inline constexpr std::uint32_t kClockStatus = 0xd8, kClockFlags = 0xe0, kClockRdx = 0xe8, kClockValue = 0xf0, kClockBack = 0xf8;
inline constexpr std::uint32_t kCounters = 0x100;
// Consecutive additions to one word wait for each other (store forwarding), so they take turns; the count is the sum.
inline constexpr std::uint32_t kCounterSlots = 16;
// Of status_code.h: the files of the run (machine/virtual_status.h). The device of its box, as stat and as statx has it; of each file that
// was placed the same, and its number.
inline constexpr std::uint32_t kStatusBegan = kCounters + 8 * kCounterSlots, kStatusBox = kStatusBegan + 8, kStatusBoxParts = kStatusBegan + 16;
inline constexpr std::uint32_t kStatusPlaced = kStatusBegan + 24, kStatusPlacedSize = 24;
inline constexpr std::uint32_t kPageBytes = 4096;
inline constexpr std::uint32_t kTableEntries = 65536;
inline constexpr std::uint32_t kTableBytes = kTableEntries * 8;
inline constexpr std::uint32_t kNarrowEntries = 8192;
inline constexpr std::uint32_t kNarrowBytes = kNarrowEntries * 8;
inline constexpr std::uint32_t kTablesBytes = 2 * kTableBytes + kPageBytes;
inline constexpr std::uint32_t kReturnTable = 0x7400'0000;  // above the lowest code region (code_cache.cc), in 31 bits
inline constexpr std::uint32_t kJumpTable = kReturnTable + kTableBytes;
inline constexpr std::uint32_t kClockTable = kJumpTable + kTableBytes;
inline constexpr std::uint64_t kMostPages = 4096;

// Where in the program's address space the pages lie, at one of so many places. The kernel maps what has no place of
// its own downwards from below the stack, or from 1/6 of all where the stack is unlimited; upwards from 1/3 where that
// is full, or always where the stack is unlimited and the kernel older (arch/x86/mm/mmap.c). So between 21.4 and
// 42.6 TiB nothing ever lies. The rest of this room is filled (own_ranges.h).
inline constexpr std::uint64_t kRoom = 0x1800'0000'0000;
inline constexpr std::uint64_t kPlaces = 1ULL << 32;  // pages
inline constexpr std::uint64_t kRoomSize = (kPlaces + kMostPages) * kPageBytes;
}  // namespace control

enum class Table : std::uint8_t { kReturn, kJump };

// One task's counters and spilled registers.
class CounterPage {
 public:
  CounterPage() = default;
  CounterPage(std::uint8_t* ours, std::uint64_t address) : ours_(ours), address_(address) {}

  [[nodiscard]] std::uint64_t address() const { return address_; }  // gs
  [[nodiscard]] bool IsSame(const CounterPage& other) const { return ours_ == other.ours_; }
  [[nodiscard]] std::uint64_t Instructions() const;
  [[nodiscard]] std::uint64_t SystemCalls() const { return Word(control::kSystemCalls); }
  // Instructions and system calls executed but not added yet, or the reverse.
  void Correct(std::int64_t instructions, std::int64_t calls) const;
  [[nodiscard]] std::uint64_t Word(std::uint32_t offset) const;
  void SetWord(std::uint32_t offset, std::uint64_t value) const;
  void Clear() const;

 private:
  [[nodiscard]] volatile std::uint64_t* At(std::uint32_t offset) const;
  std::uint8_t* ours_ = nullptr;
  std::uint64_t address_ = 0;
};

class TaskLog;

class ControlArea {
 public:
  // `offset`: where SizeFor(pages, logs) bytes of `memory` begin. Layout: tables, pages and, if there are to be `logs`, one for each page.
  ControlArea(const SharedMemory* memory, std::size_t offset, std::size_t pages, bool logs, bool narrow);
  static std::size_t SizeFor(std::size_t pages, bool logs);

  // Where the program has the pages, one behind the other: at random, because they are the one place where it could
  // change a count. It is told by nothing (gs cannot be read); what it may find out is in docs/isolation.md.
  [[nodiscard]] std::uint64_t address() const { return address_; }
  [[nodiscard]] std::size_t pages() const { return pages_; }
  [[nodiscard]] CounterPage Page(std::size_t i) const;
  [[nodiscard]] bool HasLogs() const { return logs_; }
  // They lie in the room too, each behind a page of nothing. IsKept() is false where there are none.
  [[nodiscard]] TaskLog Log(std::size_t i) const;

  [[nodiscard]] bool is_narrow() const { return entries_ != control::kTableEntries; }
  // The entries of each table from now on; they are to be filled.
  void Widen() { entries_ = control::kTableEntries; }
  [[nodiscard]] std::uint32_t entries() const { return entries_; }
  // The entry for a guest address.
  [[nodiscard]] std::uint32_t Slot(std::uint64_t guest) const { return static_cast<std::uint32_t>(guest) & (entries_ - 1); }
  void FillTable(Table table, HostPc miss) const;
  void SetEntry(Table table, std::uint64_t guest, HostPc branch_target) const;
  void SetClockEntry(std::size_t question, HostPc code) const;

 private:
  [[nodiscard]] volatile std::uint64_t* EntryOf(Table table, std::uint32_t index) const;

  const SharedMemory* memory_;
  std::size_t offset_;
  std::uint8_t* ours_;
  std::size_t pages_;
  bool logs_;
  std::uint64_t address_;
  std::uint32_t entries_;
};

}  // namespace tally
