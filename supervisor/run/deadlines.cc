#include "supervisor/run/deadlines.h"

#include <algorithm>

namespace tally {
namespace {

// Upper bounds on what one core can do, on purpose above any machine we know: too high costs an extra look,
// too low would let a program pass a limit unseen.
constexpr double kInstructionsPerNanosecond = 40;  // 8 per cycle at 5 GHz
constexpr double kBytesPerNanosecond = 4;          // fresh pages touched

// A look at memory reads a file of /proc for each process, and a program may stay near its limit.
constexpr Nanoseconds kShortestMemoryInterval = std::chrono::milliseconds(1);

// Idle time is only seen from look to look, so look several times in an idle period; and no idle period is
// longer than its limit by more than this.
constexpr int kSamplesPerIdleLimit = 4;
constexpr Nanoseconds kLongestIdleInterval = std::chrono::milliseconds(250);

Nanoseconds FromDouble(double nanoseconds) {
  return nanoseconds >= static_cast<double>(kLongestInterval.count())
             ? kLongestInterval
             : Nanoseconds(static_cast<std::int64_t>(nanoseconds));
}

}  // namespace

Nanoseconds NextCheck(const Limits& limits, const Usage& usage, unsigned parallelism) {
  const auto cores = static_cast<std::int64_t>(std::max(parallelism, 1u));
  Nanoseconds next = kLongestInterval;
  const auto within = [&next](Nanoseconds left) { next = std::min(next, left); };
  if (limits.user_time) within((*limits.user_time - usage.cpu.user) / cores);
  if (limits.sys_time) within((*limits.sys_time - usage.cpu.system) / cores);
  if (limits.cpu_time) within((*limits.cpu_time - usage.cpu.total()) / cores);
  if (limits.wall_time) within(*limits.wall_time - usage.wall);
  if (limits.idle_time) {
    within(
        std::min({*limits.idle_time / kSamplesPerIdleLimit, kLongestIdleInterval, *limits.idle_time - usage.idle}));
  }
  if (limits.instructions && usage.instructions && *usage.instructions <= *limits.instructions) {
    const auto left = static_cast<double>(limits.instructions->count - usage.instructions->count);
    within(FromDouble(left / kInstructionsPerNanosecond / static_cast<double>(cores)));
  }
  if (limits.memory && usage.memory && *usage.memory <= *limits.memory) {
    const auto left = static_cast<double>(limits.memory->count - usage.memory->count);
    within(std::max(kShortestMemoryInterval, FromDouble(left / kBytesPerNanosecond / static_cast<double>(cores))));
  }
  return std::max(next, kShortestInterval);
}

std::optional<LimitKind> PassedLimit(const Limits& limits, const Usage& usage) {
  if (limits.memory && usage.memory && *usage.memory > *limits.memory) return LimitKind::kMemory;
  if (limits.instructions && usage.instructions && *usage.instructions > *limits.instructions) {
    return LimitKind::kInstructions;
  }
  if (limits.user_time && usage.cpu.user > *limits.user_time) return LimitKind::kUserTime;
  if (limits.sys_time && usage.cpu.system > *limits.sys_time) return LimitKind::kSystemTime;
  if (limits.cpu_time && usage.cpu.total() > *limits.cpu_time) return LimitKind::kCpuTime;
  if (limits.idle_time && usage.idle >= *limits.idle_time) return LimitKind::kIdleTime;
  if (limits.wall_time && usage.wall > *limits.wall_time) return LimitKind::kWallTime;
  return std::nullopt;
}

Nanoseconds IdleWatch::Sample(Nanoseconds wall, Nanoseconds cpu) {
  if (cpu != last_cpu_) {
    last_cpu_ = cpu;
    last_advance_ = wall;
  }
  return wall - last_advance_;
}

}  // namespace tally
