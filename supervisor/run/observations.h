// What Watch saw and Judge decides on: plain data, so that Judge is tested without a kernel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "base/units.h"
#include "supervisor/api/cause.h"
#include "supervisor/api/run_result.h"
#include "supervisor/resources/cpu_clock.h"

namespace tally {

// Of a program's CPU and real time, what was not its own.
struct NotItsOwn {
  Nanoseconds stops_cpu{0};   // what our stops at its calls have cost, measured (tracing/stop_cost.h)
  Nanoseconds stops_real{0};
  Nanoseconds waited{0};      // real time in which it could run and had no processor (limit_watch.h)
  Nanoseconds standstill{0};  // real time in which the machine gave nobody a processor (limit_watch.h)
};

// Limits with what is left out of the time that they are compared with. Each has a bound, so that every program comes to an
// end: one that makes nothing but calls, one on a machine that is far too busy.
inline constexpr int kMostLeftOut = 9;  // times the limit
inline Nanoseconds CpuTimeLimit(Nanoseconds limit, const NotItsOwn& other) {
  return limit + std::min(kMostLeftOut * limit, other.stops_cpu);
}
inline Nanoseconds RealTimeLimit(Nanoseconds limit, const NotItsOwn& other) {
  return limit + std::min(limit, other.standstill) + std::min(kMostLeftOut * limit, other.stops_real + other.waited);
}

struct Observations {
  std::optional<int> exit_code;
  std::optional<int> signal;
  CpuTime cpu;
  Nanoseconds wall{0};
  Nanoseconds ended{0};  // RunResult::ended
  NotItsOwn not_its_own;

  Measured<Instructions> instructions = Measured<Instructions>::Absent("not run");
  Measured<std::uint64_t> syscalls = Measured<std::uint64_t>::Absent("not run");
  Measured<Bytes> memory = Measured<Bytes>::Absent("not run");
  Measured<Bytes> output = Measured<Bytes>::Absent("not run");
  Measured<Bytes> resident = Measured<Bytes>::Absent("not asked for");
  Measured<ContextSwitches> switches = Measured<ContextSwitches>::Absent("not asked for");
  bool error_output_exceeded = false;  // more than the output limit on stderr
  bool file_size_exceeded = false;   // ended by SIGXFSZ
  bool allocation_refused = false;   // a request the memory limit does not allow
  bool out_of_memory_kill = false;   // the kernel's, in the program's cgroup
  bool stack_exhausted = false;      // SIGSEGV at the end of a full stack
  bool several_tasks = false;        // it was at some time more than one thread

  std::optional<LimitKind> ended_for;         // Watch ended the program for this limit
  std::optional<std::string> not_translated;  // what the engine does not allow, in its words
  std::optional<ForbiddenCall> forbidden_call;
};

}  // namespace tally
