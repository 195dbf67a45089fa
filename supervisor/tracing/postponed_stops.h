// Stops that were taken off the kernel's list and that Watch is yet to handle: an engine came to them while it handled
// another task's, or a task came to so many that it was others' turn.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "supervisor/tracing/wait_status.h"

namespace tally {

class PostponedStops {
 public:
  void Add(pid_t tid, WaitStatus stop) { stops_.emplace_back(tid, stop); }
  // One at a time for each task, which stands still.
  std::optional<WaitStatus> Take(pid_t tid) {
    const auto found = std::find_if(stops_.begin(), stops_.end(), [&](const auto& stop) { return stop.first == tid; });
    if (found == stops_.end()) return std::nullopt;
    const WaitStatus stop = found->second;
    stops_.erase(found);
    return stop;
  }
  // That of the task which has waited longest; nothing: none does.
  [[nodiscard]] std::optional<pid_t> Longest() const {
    return stops_.empty() ? std::nullopt : std::optional(stops_.front().first);
  }

 private:
  std::deque<std::pair<pid_t, WaitStatus>> stops_;
};

}  // namespace tally
