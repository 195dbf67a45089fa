// Counts the retired user-mode instructions of a program, its threads and children, with the processor's
// counters (perf_event_open(2)). Counting starts at execve (enable_on_exec) and is never scaled: when the
// kernel had to share the counter out, the figure is absent.
//
// Hybrid processors have one counter per kind of core; the figures are summed.
// No PMU is the normal case on cloud machines. Then Why() says so in one sentence, with what to do.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fd.h"
#include "supervisor/api/run_request.h"
#include "supervisor/api/run_result.h"

namespace tally {

// What one counter says (perf_event_open(2), read_format): times in which it was wanted, and in which it counted, in ns.
struct PerfFigure {
  std::uint64_t value, enabled, running;
};

// The sum over kinds of cores. A task runs on one kind at a time, so none of them counts all the time, but together they do;
// else the kernel has shared a counter out, and what is missing nobody knows.
Measured<Instructions> SumOfFigures(std::span<const PerfFigure> figures);

class PerfCounter {
 public:
  // Can this host count? nullopt, or why not. Opens a counter on this process once and remembers.
  static std::optional<std::string> WhyUnavailable();

  // Attaches to a process that is about to execve. With a limit, the calling process gets SIGIO soon after the
  // limit is passed.
  PerfCounter(pid_t process, std::optional<Instructions> limit, unsigned tasks,
              PerfSource source = PerfSource::kInstructions);

  [[nodiscard]] Measured<Instructions> Read() const;

 private:
  std::vector<Fd> events_;  // one per kind of core
};

}  // namespace tally
