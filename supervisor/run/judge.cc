#include "supervisor/run/judge.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <string>

namespace tally {
namespace {

template <typename T>
bool Over(const std::optional<T>& limit, const T& figure) {
  return limit && figure > *limit;
}

template <typename T>
bool Over(const std::optional<T>& limit, const Measured<T>& figure) {
  return limit && figure.has_value() && figure.value() > *limit;
}

bool Died(const Observations& seen) { return seen.signal || seen.exit_code.value_or(0) != 0; }

std::string SignalText(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name != nullptr ? fmt::format("{} (SIG{})", signal, name) : std::to_string(signal);
}

using Rule = std::optional<Verdict> (*)(const Limits&, const Observations&);

std::optional<Verdict> RuleViolation(const Limits& limits, const Observations& seen) {
  if (seen.not_translated) return Verdict{ResultCode::kRv, *seen.not_translated, {}};
  if (seen.forbidden_call) {
    const auto& [name, number, a] = *seen.forbidden_call;
    return Verdict{ResultCode::kRv, fmt::format("intercepted forbidden syscall {}({}, {}, {}, {}, {}, {})", name, a[0], a[1], a[2], a[3], a[4], a[5]), {}};
  }
  if (seen.ended_for == LimitKind::kProcesses) {
    return Verdict{ResultCode::kRv, fmt::format("process limit exceeded: more than {} processes and threads",
                                                limits.processes), LimitKind::kProcesses};
  }
  if (seen.ended_for == LimitKind::kSecondProcess) {
    return Verdict{ResultCode::kRv, "process limit exceeded: a second process, where threads alone are allowed", LimitKind::kSecondProcess};
  }
  return std::nullopt;
}

std::optional<Verdict> OutputLimit(const Limits& limits, const Observations& seen) {
  const auto ole = [](const std::string& what) { return Verdict{ResultCode::kOle, "output limit exceeded: " + what, LimitKind::kOutput}; };
  if (seen.error_output_exceeded) return ole(fmt::format("more than {} bytes on stderr", limits.output->count));
  if (seen.ended_for == LimitKind::kOutput || Over(limits.output, seen.output)) return ole(fmt::format("more than {} bytes", limits.output->count));
  if (seen.file_size_exceeded) return ole("a file grew too large");
  return std::nullopt;
}

std::optional<Verdict> MemoryLimit(const Limits& limits, const Observations& seen) {
  const std::string limit = limits.memory ? FormatBytes(*limits.memory) : "";
  const auto mle = [](std::string sentence, LimitKind kind = LimitKind::kMemory) { return Verdict{ResultCode::kMle, std::move(sentence), kind}; };
  if (Over(limits.memory, seen.memory) || seen.ended_for == LimitKind::kMemory) return mle("memory limit exceeded: more than " + limit);
  if (seen.out_of_memory_kill) return mle("memory limit exceeded: more than " + limit);
  if (seen.allocation_refused && Died(seen)) return mle("memory limit exceeded: an allocation was refused at " + limit);
  if (seen.stack_exhausted) return mle("stack limit exceeded", LimitKind::kStack);
  return std::nullopt;
}

std::optional<Verdict> TimeLimit(const Limits& limits, const Observations& seen) {
  const auto tle = [](LimitKind kind, const std::string& what) { return Verdict{ResultCode::kTle, "time limit exceeded: " + what, kind}; };
  if (seen.ended_for == LimitKind::kInstructions || Over(limits.instructions, seen.instructions)) {
    return tle(LimitKind::kInstructions, fmt::format("more than {} instructions", FormatCount(limits.instructions->count)));
  }
  if (seen.ended_for == LimitKind::kUserTime || Over(limits.user_time, seen.cpu.user)) {
    return tle(LimitKind::kUserTime, fmt::format("more than {} of user CPU time", FormatDuration(*limits.user_time)));
  }
  if (seen.ended_for == LimitKind::kSystemTime || Over(limits.sys_time, seen.cpu.system)) {
    return tle(LimitKind::kSystemTime, fmt::format("more than {} of system CPU time", FormatDuration(*limits.sys_time)));
  }
  if (seen.ended_for == LimitKind::kCpuTime || (limits.cpu_time && seen.cpu.total() > CpuTimeLimit(*limits.cpu_time, seen.not_its_own))) {
    return tle(LimitKind::kCpuTime, fmt::format("more than {} of CPU time, system calls included", FormatDuration(*limits.cpu_time)));
  }
  if (seen.ended_for == LimitKind::kDeadlock) {
    return Verdict{ResultCode::kTle, "deadlock: all threads and processes wait for each other", LimitKind::kDeadlock};
  }
  if (seen.ended_for == LimitKind::kIdleTime) return tle(LimitKind::kIdleTime, fmt::format("idle for {}", FormatDuration(*limits.idle_time)));
  if (seen.ended_for == LimitKind::kWallTime || (limits.wall_time && seen.wall > RealTimeLimit(*limits.wall_time, seen.not_its_own))) {
    return tle(LimitKind::kWallTime, fmt::format("more than {} of real time", FormatDuration(*limits.wall_time)));
  }
  return std::nullopt;
}

std::optional<Verdict> RuntimeError(const Limits&, const Observations& seen) {
  if (seen.signal) {
    return Verdict{ResultCode::kRe, "process exited due to signal " + SignalText(*seen.signal), {}};
  }
  if (seen.exit_code.value_or(0) != 0) {
    return Verdict{ResultCode::kRe, fmt::format("runtime error {}", *seen.exit_code), {}};
  }
  return std::nullopt;
}

// The first rule that speaks wins.
constexpr Rule kPrecedence[] = {RuleViolation, OutputLimit, MemoryLimit, TimeLimit, RuntimeError};

}  // namespace

Verdict Judge(const Limits& limits, const Observations& seen) {
  for (const Rule rule : kPrecedence) {
    if (std::optional<Verdict> verdict = rule(limits, seen)) return *verdict;
  }
  return {ResultCode::kOk, "ok", {}};
}

}  // namespace tally
