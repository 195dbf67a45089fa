#include "supervisor/resources/sched_times.h"

#include <fmt/format.h>

#include "base/sys.h"
#include "base/words.h"

namespace tally {

// schedstat (Documentation/scheduler/sched-stats.rst): two times in nanoseconds, and how often it was given a processor. Kernels without
// these figures say 0 0 0.
std::optional<SchedTimes> SchedTimesOf(pid_t task) {
  const std::string text = sys::TryReadFile(fmt::format("/proc/{}/schedstat", task)).value_or("");
  Words words(text);
  const auto on_processor = words.Number<std::int64_t>(10), waiting = words.Number<std::int64_t>(10);
  if (!on_processor || !waiting || (*on_processor == 0 && words.Rest().starts_with('0'))) return std::nullopt;
  return SchedTimes{Nanoseconds(*on_processor), Nanoseconds(*waiting)};
}

}  // namespace tally
