// Stops that were taken off the kernel's list and that Watch is yet to handle: an engine came to them while it handled
// another task's, or a task came to so many that it was others' turn; or the task is held, until nothing else is left to handle.
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
  // One at a time for each task, which stands still.
  void Add(pid_t tid, WaitStatus stop) { stops_.emplace_back(tid, stop); }
  void Hold(pid_t tid, WaitStatus stop) { held_.emplace_back(tid, stop); }
  std::optional<WaitStatus> Take(pid_t tid) {
    if (auto stop = TakeFrom(&stops_, tid)) return stop;
    return TakeFrom(&held_, tid);
  }
  [[nodiscard]] bool IsHeld(pid_t tid) const { return Find(held_, tid) != held_.end(); }
  [[nodiscard]] bool empty() const { return stops_.empty() && held_.empty(); }
  // The task whose stop, of its kind, has waited longest; nothing: none does.
  [[nodiscard]] std::optional<pid_t> Longest() const { return First(stops_); }
  [[nodiscard]] std::optional<pid_t> LongestHeld() const { return First(held_); }

 private:
  using Stops = std::deque<std::pair<pid_t, WaitStatus>>;
  static Stops::const_iterator Find(const Stops& stops, pid_t tid) {
    return std::find_if(stops.begin(), stops.end(), [tid](const auto& stop) { return stop.first == tid; });
  }
  static std::optional<pid_t> First(const Stops& stops) {
    return stops.empty() ? std::nullopt : std::optional(stops.front().first);
  }
  static std::optional<WaitStatus> TakeFrom(Stops* stops, pid_t tid) {
    const auto found = Find(*stops, tid);
    if (found == stops->end()) return std::nullopt;
    const WaitStatus stop = found->second;
    stops->erase(found);
    return stop;
  }

  Stops stops_;
  Stops held_;
};

}  // namespace tally
