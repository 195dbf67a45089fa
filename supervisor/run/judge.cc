#include "supervisor/run/judge.h"

#include <fmt/format.h>
#include <sched.h>

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

// Whoever has one process learns by the first std::thread that a limit says so, and not the sandbox's rules: "a second thread (clone)".
// "" of another call, or of a clone that wants a namespace, which no limit allows.
std::string SecondTask(const ForbiddenCall& call) {
  constexpr std::uint64_t kNever = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
  const std::uint64_t flags = call.arguments[0];
  if (call.name == "clone" && (flags & kNever) == 0) return (flags & CLONE_THREAD) != 0 ? "a second thread (clone)" : "a second process (clone)";
  return call.name == "fork" || call.name == "vfork" ? fmt::format("a second process ({})", call.name) : "";
}

std::string ProcessLimitText(std::uint32_t processes, const std::string& second) {
  if (processes == 1) return fmt::format("process limit exceeded: {}, where one is allowed (processes: 1)", second);
  return fmt::format("process limit exceeded: more than {} processes and threads (processes: {})", processes, processes);
}

using Rule = std::optional<Verdict> (*)(const Limits&, const Observations&);

std::optional<Verdict> RuleViolation(const Limits& limits, const Observations& seen) {
  if (seen.not_translated) return Verdict{ResultCode::kRv, *seen.not_translated, {}};
  if (seen.forbidden_call) {
    if (const std::string second = SecondTask(*seen.forbidden_call); limits.processes == 1 && !second.empty()) return Verdict{ResultCode::kRv, ProcessLimitText(1, second), {}};
    const auto& [name, number, a] = *seen.forbidden_call;
    return Verdict{ResultCode::kRv, fmt::format("intercepted forbidden syscall {}({}, {}, {}, {}, {}, {})", name, a[0], a[1], a[2], a[3], a[4], a[5]), {}};
  }
  if (seen.ended_for == LimitKind::kProcesses) {
    return Verdict{ResultCode::kRv, ProcessLimitText(limits.processes, "a second process or thread"), LimitKind::kProcesses};
  }
  if (seen.ended_for == LimitKind::kSecondProcess) {
    return Verdict{ResultCode::kRv, "process limit exceeded: a second process, where threads alone are allowed", LimitKind::kSecondProcess};
  }
  return std::nullopt;
}

std::optional<Verdict> OutputLimit(const Limits& limits, const Observations& seen) {
  const auto ole = [](const std::string& what) { return Verdict{ResultCode::kOle, "output limit exceeded: " + what, LimitKind::kOutput}; };
  if (seen.error_output_exceeded) return ole(fmt::format("more than {} on stderr", FormatBytes(*limits.output)));
  if (seen.ended_for == LimitKind::kOutput || Over(limits.output, seen.output)) return ole("more than " + FormatBytes(*limits.output));
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
