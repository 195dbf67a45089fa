// What one run did: a value, whatever the program did. Our own failures are exceptions (base/error.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/units.h"
#include "supervisor/api/cause.h"
#include "supervisor/api/result_code.h"
#include "supervisor/api/virtual_cpu_options.h"

namespace tally {

// A figure, or the reason why there is none. Never 0 for "not measured".
template <typename T>
class Measured {
 public:
  Measured(T value) : value_(value) {}  // NOLINT: a figure is a Measured
  static Measured Absent(std::string reason) { return Measured(std::move(reason), 0); }

  [[nodiscard]] bool has_value() const { return value_.has_value(); }
  [[nodiscard]] const T& value() const { return value_.value(); }  // throws where there is none
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  Measured(std::string reason, int) : reason_(std::move(reason)) {}
  std::optional<T> value_;
  std::string reason_;
};

// Of context (getrusage(2)): it waited, or its time on the processor was over.
struct ContextSwitches {
  std::uint64_t voluntary = 0, forced = 0;
};

struct RunResult {
  ResultCode code = ResultCode::kOk;
  std::string sentence = "ok";  // "time limit exceeded: 1.00 s of user CPU time"
  // What the sentence is about, where that is one of these.
  std::optional<LimitKind> limit;
  std::optional<ForbiddenCall> forbidden_call;

  std::optional<int> exit_code;  // absent when a signal ended the program
  std::optional<int> signal;     // the signal that ended it, ours (SIGKILL) included

  Nanoseconds user_time{0};  // the program and all its children
  Nanoseconds sys_time{0};
  Nanoseconds stop_time{0};  // of both: what stops of ours have cost the program, which no limit on CPU time counts
  Nanoseconds wall_time{0};  // from execve to the end
  // By the monotonic clock: when its first process came to its end, with its descriptors still open. So of two programs that are joined by
  // a pipe, the one whose end the other saw has the smaller. 0: it was killed before anybody saw that.
  Nanoseconds ended{0};

  Measured<Instructions> instructions = Measured<Instructions>::Absent("not run");
  Measured<Bytes> memory = Measured<Bytes>::Absent("not run");  // peak
  Measured<std::uint64_t> syscalls = Measured<std::uint64_t>::Absent("not run");
  Measured<Bytes> resident = Measured<Bytes>::Absent("not asked for");  // the largest process's peak
  Measured<ContextSwitches> switches = Measured<ContextSwitches>::Absent("not asked for");  // of first threads
  Measured<Bytes> output = Measured<Bytes>::Absent("not run");  // stdout

  // Which means were in use: a reader can tell two hosts apart.
  std::string engine;         // "native", "step"
  std::string counter;        // "perf", "step", "none"
  std::string memory_metric;  // "cgroup-v2", "cgroup-v1", "address-space", "resident"
  std::string syscall_counter;  // "tracepoint", "trace", "none"
  std::string isolation;      // "full", "reduced", "none", with the means: "full (user namespace)"

  // Of the virtual CPU, and whether the count would be the same again, here and elsewhere.
  VirtualCpuOptions virtual_cpu{.rules = VirtualRules::None()};
  std::string count_varies = "the program did not run";  // why the count may be another next time; "": it will not
};

}  // namespace tally
