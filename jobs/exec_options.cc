#include "jobs/exec_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/error.h"
#include "supervisor/sandbox/best_isolation.h"

namespace tally {
namespace {

using std::chrono::seconds;

constexpr Milliseconds kDefaultTime{30'000};
constexpr std::uint64_t kDefaultMemoryKib = 66'000;
constexpr std::uint64_t kDefaultOutputBytes = 50ULL << 20;
constexpr Milliseconds kDefaultIdle{2'000};
// Only the sum of user and system time is exact: the kernel divides it by what its clock ticks fall into, and a program can
// see to it that they all fall into system calls. So the limit on the sum is close to that on user time.
constexpr Nanoseconds kLeastSystemTime = Milliseconds(100);
constexpr int kWallFactor = 2, kVirtualWallFactor = 64;

constexpr std::uint64_t kLargestProcesses = 100'000;

std::optional<std::uint64_t> Bounded(const Environ& environ, std::initializer_list<std::string_view> keys,
                                     std::string_view unit, std::uint64_t largest) {
  for (const std::string_view key : keys) {
    if (const auto number = BoundedCount(environ, key, unit, largest)) return number;
  }
  return std::nullopt;
}

// A time limit in ms; 0 is "none", as in SIO Workers.
std::optional<Nanoseconds> OptionalTime(const Environ& environ, std::string_view key,
                                        std::optional<Nanoseconds> fallback) {
  const auto number = Bounded(environ, {key}, "ms", kLargestMilliseconds);
  if (!number) return fallback;
  if (*number == 0) return std::nullopt;
  return Milliseconds(*number);
}

template <typename T, std::size_t N>
T ParseWord(std::string_view key, const std::string& word, const std::array<std::pair<const char*, T>, N>& words) {
  std::string known;
  for (const auto& [name, value] : words) {
    if (word == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw UserError(fmt::format("{}: \"{}\" is unknown; expected one of: {}", key, word, known));
}

void WriteMeasured(Environ* environ, std::string_view key, const std::optional<std::uint64_t>& figure,
                   const std::string& reason) {
  if (figure) {
    environ->Set(key, *figure);
    environ->Remove(fmt::format("{}_absent", key));
  } else {
    environ->Remove(key);
    environ->Set(fmt::format("{}_absent", key), reason);
  }
}

std::uint64_t Milli(Nanoseconds duration) {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<Milliseconds>(duration).count());
}

void WriteVirtualCpu(const RunResult& result, Environ* environ) {
  const VirtualCpuOptions& used = result.virtual_cpu;
  environ->Set("virtual_rules", used.rules.Names());
  environ->Remove("cpu_model_used");
  environ->Remove("seed_used");
  if (used.rules.Has(VirtualRule::kCpu)) environ->Set("cpu_model_used", Name(used.model));
  if (used.rules.Has(VirtualRule::kRandom)) environ->Set("seed_used", used.seed);
  environ->Remove("schedule_seed_used");
  if (used.rules.Has(VirtualRule::kSchedule) && used.schedule_seed != 0) environ->Set("schedule_seed_used", used.schedule_seed);
  environ->Remove("exectime_varies");
  environ->Set("exectime_deterministic", result.count_varies.empty());
  if (!result.count_varies.empty()) environ->Set("exectime_varies", result.count_varies);
}

// Of "vcpu-interactive-exec" that of "vcpu-exec".
std::optional<ExecKind> KindBefore(std::string_view end, std::string_view job_type) {
  if (!job_type.ends_with(end)) return std::nullopt;
  job_type.remove_suffix(end.size());
  return job_type.empty() ? ExecKind::kExec : ExecKindOf(std::string(job_type) + "exec");
}

}  // namespace

std::optional<ExecKind> ExecKindOf(std::string_view job_type) {
  if (job_type == "exec" || job_type == "cpu-exec") return ExecKind::kExec;
  if (job_type == "vcpu-exec" || job_type == "sio2jail-exec") return ExecKind::kVcpuExec;
  if (job_type == "unsafe-exec") return ExecKind::kUnsafeExec;
  return std::nullopt;
}

std::optional<ExecKind> InteractiveKindOf(std::string_view job_type) { return KindBefore("interactive-exec", job_type); }

std::optional<ExecKind> EncdecKindOf(std::string_view job_type) { return KindBefore("encdec-exec", job_type); }

std::optional<std::uint64_t> BoundedCount(const Environ& environ, std::string_view key, std::string_view unit,
                                          std::uint64_t largest) {
  const std::optional<std::uint64_t> number = environ.Count(key, unit);
  if (number && *number > largest) {
    throw UserError(fmt::format("{}: {} {} is more than Tally accepts (at most {})", key, *number, unit, largest));
  }
  return number;
}

Limits DefaultLimits(ExecKind kind, Nanoseconds time) {
  Limits limits;
  limits.idle_time = kDefaultIdle;
  if (kind == ExecKind::kVcpuExec) {
    // The limit is on virtual time; real time only bounds how long anybody waits.
    limits.instructions = Instructions{Milli(time) * kInstructionsPerMillisecond};
    limits.wall_time = time * kVirtualWallFactor + seconds(1);
  } else {
    limits.user_time = time;
    limits.cpu_time = std::max(time * 5 / 4, time + kLeastSystemTime);
    limits.wall_time = time * kWallFactor + seconds(1);
  }
  return limits;
}

ExecOptions ReadExecOptions(ExecKind kind, const Environ& environ) {
  ExecOptions options;
  options.kind = kind;
  const auto time_ms = Bounded(environ, {"exec_time_limit"}, "ms", kLargestMilliseconds);
  const Nanoseconds time = time_ms ? Milliseconds(*time_ms) : kDefaultTime;
  if (time.count() == 0) throw UserError("exec_time_limit: 0 ms leaves no time to run; leave the key out for 30 s");
  options.limits = DefaultLimits(kind, time);
  options.limits.cpu_time = OptionalTime(environ, "exec_cpu_time_limit", options.limits.cpu_time);
  options.limits.wall_time = OptionalTime(environ, "exec_real_time_limit", options.limits.wall_time);
  options.limits.idle_time = OptionalTime(environ, "exec_idle_time_limit", options.limits.idle_time);

  const auto memory = Bounded(environ, {"exec_mem_limit"}, "kB", kLargestKib);
  if (memory == 0u) throw UserError("exec_mem_limit: 0 kB leaves no memory to run; leave the key out for 66000 kB");
  options.limits.memory = Bytes::KiB(memory.value_or(kDefaultMemoryKib));
  if (const auto stack = Bounded(environ, {"exec_stack_limit"}, "kB", kLargestKib)) {
    options.limits.stack = Bytes::KiB(*stack);
  }
  options.limits.output =
      Bytes{Bounded(environ, {"exec_out_limit", "exec_output_limit"}, "bytes", kLargestBytes).value_or(kDefaultOutputBytes)};
  if (const auto count = Bounded(environ, {"exec_et_limit"}, "instructions", std::numeric_limits<std::int64_t>::max());
      count && *count > 0) {
    options.limits.instructions = std::min(options.limits.instructions.value_or(Instructions{*count}), Instructions{*count});
  }
  if (const auto processes = Bounded(environ, {"exec_processes"}, "processes", kLargestProcesses)) {
    if (*processes == 0) throw UserError("exec_processes: 0 leaves no process to run; the default is 1");
    options.limits.processes = static_cast<std::uint32_t>(*processes);
  }

  const bool virtual_time = kind == ExecKind::kVcpuExec;
  options.counter = ParseCounter("counter", environ.TextOr("counter", "auto"));
  if (virtual_time && options.counter == Counter::kAuto) options.counter = Counter::kTranslator;
  options.memory_by = ParseMemoryBy("memory_by", environ.TextOr("memory_by", "auto"));
  options.syscalls = ParseSyscallCounting("syscall_count", environ.TextOr("syscall_count", "auto"));
  options.isolation = kind == ExecKind::kUnsafeExec
                          ? Isolation::kNone
                          : ParseIsolation("isolation", environ.TextOr("isolation", "full"));
  options.virtual_cpu.model = ParseCpuModel("cpu_model", environ.TextOr("cpu_model", "x86-64-v3"));
  options.virtual_cpu.seed =
      Bounded(environ, {"seed"}, "", std::numeric_limits<std::int64_t>::max()).value_or(options.virtual_cpu.seed);
  options.virtual_cpu.schedule_seed =
      Bounded(environ, {"schedule_seed"}, "", std::numeric_limits<std::int64_t>::max()).value_or(options.virtual_cpu.schedule_seed);
  options.virtual_cpu.rules = ParseRulesOff("virtual_off", environ.TextList("virtual_off"));
  options.virtual_cpu.told_time = ParseWord<ToldTime, 3>("fake_time", environ.TextOr("fake_time", "off"),
                                                         {{{"off", ToldTime::kCounted}, {"zero", ToldTime::kZero}, {"random", ToldTime::kRandom}}});
  // A native program finds this machine's clocks, also where no call asks for them.
  if (options.virtual_cpu.told_time != ToldTime::kCounted && options.counter == Counter::kAuto) options.counter = Counter::kTranslator;
  options.sandbox = environ.TextOr("sandbox", kind == ExecKind::kUnsafeExec ? "" : virtual_time ? "vcpu_exec-sandbox" : "exec-sandbox");
  return options;
}

void WriteRunResult(ExecKind kind, const RunResult& result, Environ* environ) {
  environ->Set("result_code", Name(result.code));
  environ->Set("result_string", result.sentence);
  if (kind == ExecKind::kVcpuExec) {
    const bool counted = result.instructions.has_value();
    WriteMeasured(environ, "time_used",
                  counted ? std::optional<std::uint64_t>(Milli(VirtualTime(result.instructions.value()))) : std::nullopt,
                  result.instructions.reason());
  } else {
    environ->Set("time_used", Milli(result.user_time));
  }
  environ->Set("sys_time_used", Milli(result.sys_time));
  if (Milli(result.stop_time) != 0) environ->Set("stop_time_used", Milli(result.stop_time));
  environ->Set("real_time_used", Milli(result.wall_time));
  const auto count = [](const auto& measured) -> std::optional<std::uint64_t> {
    if (!measured.has_value()) return std::nullopt;
    if constexpr (requires { measured.value().count; }) {
      return measured.value().count;
    } else {
      return measured.value();
    }
  };
  WriteMeasured(environ, "exectime_used", count(result.instructions), result.instructions.reason());
  WriteMeasured(environ, "mem_used",
                result.memory.has_value() ? std::optional<std::uint64_t>(result.memory.value().kib_up()) : std::nullopt,
                result.memory.reason());
  WriteMeasured(environ, "num_syscalls", count(result.syscalls), result.syscalls.reason());
  WriteMeasured(environ, "output_bytes", count(result.output), result.output.reason());
  if (result.exit_code) environ->Set("exit_code", static_cast<std::uint64_t>(*result.exit_code));
  if (result.signal) environ->Set("exit_signal", static_cast<std::uint64_t>(*result.signal));
  environ->Set("engine", result.engine);
  environ->Set("counter_used", result.counter);
  environ->Set("mem_metric", result.memory_metric);
  environ->Set("syscall_counter", result.syscall_counter);
  environ->Set("isolation_used", result.isolation);
  WriteVirtualCpu(result, environ);
}

Counter ParseCounter(std::string_view key, const std::string& word) {
  return ParseWord<Counter, 5>(key, word,
                               {{{"auto", Counter::kAuto},
                                 {"perf", Counter::kPerf},
                                 {"translator", Counter::kTranslator},
                                 {"step", Counter::kStep},
                                 {"none", Counter::kNone}}});
}

MemoryBy ParseMemoryBy(std::string_view key, const std::string& word) {
  return ParseWord<MemoryBy, 4>(key, word,
                                {{{"auto", MemoryBy::kAuto},
                                  {"cgroup", MemoryBy::kCgroup},
                                  {"address-space", MemoryBy::kAddressSpace},
                                  {"resident", MemoryBy::kResident}}});
}

SyscallCounting ParseSyscallCounting(std::string_view key, const std::string& word) {
  return ParseWord<SyscallCounting, 4>(key, word,
                                       {{{"auto", SyscallCounting::kAuto},
                                         {"tracepoint", SyscallCounting::kTracepoint},
                                         {"trace", SyscallCounting::kTrace},
                                         {"off", SyscallCounting::kOff}}});
}

CpuModel ParseCpuModel(std::string_view key, const std::string& word) {
  return ParseWord<CpuModel, 3>(key, word, {{{"x86-64-v3", CpuModel::kV3}, {"x86-64-v2", CpuModel::kV2}, {"x86-64-v4", CpuModel::kV4}}});
}

VirtualRules ParseRulesOff(std::string_view key, const std::vector<std::string>& words) {
  VirtualRules rules = VirtualRules::All();
  for (const std::string& word : words) {
    for (std::size_t begin = 0; begin <= word.size();) {
      const std::size_t end = std::min(word.find(',', begin), word.size());
      rules.Remove(ParseWord<VirtualRule, 6>(key, word.substr(begin, end - begin),
                                             {{{"addresses", VirtualRule::kAddresses},
                                               {"cpu", VirtualRule::kCpu},
                                               {"random", VirtualRule::kRandom},
                                               {"schedule", VirtualRule::kSchedule},
                                               {"system", VirtualRule::kSystem},
                                               {"time", VirtualRule::kTime}}}));
      begin = end + 1;
    }
  }
  return rules;
}

Isolation ParseIsolation(std::string_view key, const std::string& word) {
  enum class Asked : std::uint8_t { kFull, kReduced, kAuto };
  switch (ParseWord<Asked, 3>(key, word, {{{"full", Asked::kFull}, {"reduced", Asked::kReduced}, {"auto", Asked::kAuto}}})) {
    case Asked::kFull: return Isolation::kFull;
    case Asked::kReduced: return Isolation::kReduced;
    case Asked::kAuto: return BestIsolation();
  }
  return Isolation::kFull;
}

}  // namespace tally
