#include "profile/timeline/time_sweep.h"

namespace tally {

void TimeSweep::Advance(std::uint64_t now) {
  if (now <= now_) return;
  Resource what = Resource::kWaiting;  // a moment in which nobody saw a thread
  for (std::size_t i = 0; i < kResources; ++i) {
    if (threads_[static_cast<Resource>(i)] == 0) continue;
    what = static_cast<Resource>(i);
    break;
  }
  parts_[what] += now - now_;
  now_ = now;
}

}  // namespace tally
