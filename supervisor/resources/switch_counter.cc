#include "supervisor/resources/switch_counter.h"

#include <algorithm>

#include "supervisor/resources/proc_status.h"

namespace tally {
namespace {

constexpr const char* kNoneEnded = "no process was seen at its end";

}  // namespace

void SwitchCounter::Read(std::string_view status) {
  const std::uint64_t kib = NumberInStatus(status, "VmHWM").value_or(0);
  resident_ = std::max(resident_.value_or(Bytes{}), Bytes::KiB(kib));
  ContextSwitches sum = switches_.value_or(ContextSwitches{});
  sum.voluntary += NumberInStatus(status, "voluntary_ctxt_switches").value_or(0);
  sum.forced += NumberInStatus(status, "nonvoluntary_ctxt_switches").value_or(0);
  switches_ = sum;
}

Measured<Bytes> SwitchCounter::resident(Bytes engine) const {
  if (!resident_) return Measured<Bytes>::Absent(kNoneEnded);
  return Bytes{resident_->count - std::min(resident_->count, engine.count)};
}

Measured<ContextSwitches> SwitchCounter::switches() const {
  return switches_ ? Measured<ContextSwitches>(*switches_) : Measured<ContextSwitches>::Absent(kNoneEnded);
}

}  // namespace tally
