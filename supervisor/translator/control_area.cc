#include "supervisor/translator/control_area.h"

#include <sys/random.h>

#include <cerrno>

#include "base/error.h"

namespace tally {
namespace {

std::uint32_t Base(Table table) { return table == Table::kReturn ? control::kReturnTable : control::kJumpTable; }

}  // namespace

namespace {
// Between what the kernel maps from below and from above, where without randomisation nothing ever lies.
constexpr std::uint64_t kLowest = 0x2000'0000'0000;
constexpr std::uint64_t kPlaces = 1ULL << 32;  // pages

std::uint64_t RandomPlace() {
  std::uint64_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != sizeof random) throw SystemError("getrandom", errno);
  return kLowest + random % kPlaces * 4096;
}
}  // namespace

ControlArea::ControlArea() : address_(RandomPlace()) {}

volatile std::uint64_t* ControlArea::At(std::uint32_t offset) const {
  return reinterpret_cast<volatile std::uint64_t*>(memory_.data() + offset);
}

std::uint64_t ControlArea::Word(std::uint32_t offset) const { return *At(offset); }

std::uint64_t ControlArea::Count() const {
  std::uint64_t sum = 0;
  for (std::uint32_t slot = 0; slot < control::kCounterSlots; ++slot) sum += Word(control::kCounters + 8 * slot);
  return sum;
}

void ControlArea::Correct(std::int64_t instructions, std::int64_t calls) {
  *At(control::kCounters) = Word(control::kCounters) + static_cast<std::uint64_t>(instructions);
  *At(control::kSystemCalls) = SystemCalls() + static_cast<std::uint64_t>(calls);
}

void ControlArea::FillTable(Table table, HostPc miss) {
  for (std::uint32_t i = 0; i < control::kTableEntries; ++i) *At(Base(table) + 8 * i) = miss;
}

// One aligned store: a thread that reads the entry meanwhile gets the old landing or the new one.
void ControlArea::SetEntry(Table table, std::uint64_t guest, HostPc landing) {
  *At(Base(table) + 8 * static_cast<std::uint32_t>(guest & 0xffff)) = landing;
}

}  // namespace tally
