#include "supervisor/translator/cache/control_area.h"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "supervisor/translator/guest/task_log.h"

namespace tally {
namespace {

std::uint64_t RandomPlace() {
  std::uint64_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != sizeof random) throw SystemError("getrandom", errno);
  return control::kRoom + random % control::kPlaces * control::kPageBytes;
}

}  // namespace

volatile std::uint64_t* CounterPage::At(std::uint32_t offset) const {
  return reinterpret_cast<volatile std::uint64_t*>(ours_ + offset);
}

std::uint64_t CounterPage::Word(std::uint32_t offset) const { return *At(offset); }
void CounterPage::SetWord(std::uint32_t offset, std::uint64_t value) const { *At(offset) = value; }

std::uint64_t CounterPage::Instructions() const {
  std::uint64_t sum = Word(control::kTurnGiven) - Word(control::kTurnBudget);
  for (std::uint32_t slot = 0; slot < control::kCounterSlots; ++slot) sum += Word(control::kCounters + 8 * slot);
  return sum;
}

// By turns it is the budget that counts, and that a turn is as long as it is must not depend on who counted.
void CounterPage::Correct(std::int64_t instructions, std::int64_t calls) const {
  if (Word(control::kTurnGiven) != 0) {
    *At(control::kTurnBudget) = Word(control::kTurnBudget) - static_cast<std::uint64_t>(instructions);
  } else {
    *At(control::kCounters) = Word(control::kCounters) + static_cast<std::uint64_t>(instructions);
  }
  *At(control::kSystemCalls) = SystemCalls() + static_cast<std::uint64_t>(calls);
}


void CounterPage::Clear() const { std::memset(ours_, 0, control::kPageBytes); }

ControlArea::ControlArea(const SharedMemory* memory, std::size_t offset, std::size_t pages, bool logs, bool narrow)
    : memory_(memory), offset_(offset), ours_(memory->data() + offset), pages_(pages), logs_(logs), address_(RandomPlace()),
      entries_(narrow ? control::kNarrowEntries : control::kTableEntries) {}

std::size_t ControlArea::SizeFor(std::size_t pages, bool logs) {
  return control::kTablesBytes + pages * (control::kPageBytes + (logs ? TaskLog::kBytes : 0));
}

CounterPage ControlArea::Page(std::size_t i) const {
  return {ours_ + control::kTablesBytes + i * control::kPageBytes, address_ + i * control::kPageBytes};
}

// In the half of the room in which the pages do not lie.
TaskLog ControlArea::Log(std::size_t i) const {
  if (!logs_) return {};
  constexpr std::uint64_t kHalf = control::kRoomSize / 2 / control::kPageBytes * control::kPageBytes;
  const std::uint64_t first = control::kRoom + (address_ < control::kRoom + kHalf ? kHalf + kHalf / 2 : 0);
  std::uint8_t* const ours = ours_ + control::kTablesBytes + pages_ * control::kPageBytes;
  return {Page(i), ours + i * TaskLog::kBytes, first + control::kPageBytes + i * (TaskLog::kBytes + control::kPageBytes)};
}

volatile std::uint64_t* ControlArea::EntryOf(Table table, std::uint32_t index) const {
  const std::uint32_t begin = table == Table::kReturn ? 0 : control::kTableBytes;
  return reinterpret_cast<volatile std::uint64_t*>(ours_ + begin + 8 * index);
}

void ControlArea::FillTable(Table table, HostPc miss) const {
  const std::size_t begin = table == Table::kReturn ? 0 : control::kTableBytes;
  memory_->Fill(offset_ + begin, entries_ * sizeof miss, miss);  // nobody reads it yet
}

// One aligned store: a thread that reads the entry meanwhile gets the old branch target or the new one.
void ControlArea::SetEntry(Table table, std::uint64_t guest, HostPc branch_target) const {
  *EntryOf(table, Slot(guest)) = branch_target;
}

void ControlArea::SetClockEntry(std::size_t question, HostPc code) const {
  const std::size_t at = control::kClockTable - control::kReturnTable + 8 * question;
  *reinterpret_cast<volatile std::uint64_t*>(ours_ + at) = code;
}

}  // namespace tally
