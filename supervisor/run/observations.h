// What Watch saw and Judge decides on: plain data, so that Judge is tested without a kernel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "base/units.h"
#include "supervisor/api/run_result.h"
#include "supervisor/resources/cpu_clock.h"

namespace tally {

// The limits that Watch enforces by ending the program.
enum class LimitKind : std::uint8_t {
  kUserTime,
  kCpuTime,
  kWallTime,
  kIdleTime,
  kInstructions,
  kMemory,
  kOutput,
  kProcesses,
  kSecondProcess,
};

// A limit on real or all CPU time, with what was not the program's: what our own stops may have
// cost, a standstill. At most twice the limit: a program that makes
// nothing but system calls ends, too.
inline Nanoseconds WithAllowance(Nanoseconds limit, Nanoseconds allowance) { return limit + std::min(limit, allowance); }

// A limit on real time is for programs that sleep or hang. Time in which one that could run had no processor is not its own,
// up to nine times the limit.
inline Nanoseconds WithWaiting(Nanoseconds limit, Nanoseconds waited) { return limit + std::min(9 * limit, waited); }

struct Observations {
  std::optional<int> exit_code;
  std::optional<int> signal;
  CpuTime cpu;
  Nanoseconds wall{0};
  Nanoseconds stop_allowance{0};  // what our own stops may have cost in real time
  Nanoseconds stop_cpu_allowance{0};  // and in system time
  Nanoseconds waited{0};          // of the real time: for a processor (limit_watch.h)
  Nanoseconds standstill{0};      // of the real time: the machine gave nobody a processor (limit_watch.h)

  Measured<Instructions> instructions = Measured<Instructions>::Absent("not run");
  Measured<std::uint64_t> syscalls = Measured<std::uint64_t>::Absent("not run");
  Measured<Bytes> memory = Measured<Bytes>::Absent("not run");
  Measured<Bytes> output = Measured<Bytes>::Absent("not run");
  bool file_size_exceeded = false;   // ended by SIGXFSZ
  bool allocation_refused = false;   // a request the memory limit does not allow
  bool out_of_memory_kill = false;   // the kernel's, in the program's cgroup
  bool stack_exhausted = false;      // SIGSEGV at the end of a full stack
  bool several_tasks = false;        // it was at some time more than one thread

  std::optional<LimitKind> ended_for;         // Watch ended the program for this limit
  std::optional<std::string> not_translated;  // what the engine does not allow, in its words
  std::optional<std::string> forbidden_call;  // "socket(2, 1, 0, 0, 0, 0)"
};

}  // namespace tally
