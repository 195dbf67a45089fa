#include "supervisor/machine/time_calls.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>

#include <array>
#include <cerrno>
#include <ctime>

#include "supervisor/machine/answers.h"

namespace tally {
namespace {

using std::chrono::seconds;

constexpr Nanoseconds kClockTick = Milliseconds(10);  // sysconf(_SC_CLK_TCK) is 100
constexpr Nanoseconds kCoarse = Milliseconds(4);

timeval ToTimeval(Nanoseconds time) {
  return {time.count() / kNanosecondsPerSecond, time.count() % kNanosecondsPerSecond / 1000};
}

std::int64_t ClockTime(pid_t tid, const StoppedCall& call, const VirtualClock& clock, std::uint64_t count) {
  const std::optional<ClockKind> kind = KindOfClock(Int32(call.arguments[0]));
  if (!kind) return -EINVAL;
  switch (*kind) {
    case ClockKind::kDate: return WriteAnswer(tid, call.arguments[1], ToTimespec(clock.Tell(clock.Date(count), count)));
    case ClockKind::kSinceStart: return WriteAnswer(tid, call.arguments[1], ToTimespec(clock.Tell(clock.SinceStart(count), count)));
    case ClockKind::kCpu: return WriteAnswer(tid, call.arguments[1], ToTimespec(clock.Tell(VirtualClock::CpuTime(count), count)));
  }
  return -EINVAL;
}

std::int64_t Resolution(pid_t tid, const StoppedCall& call) {
  const auto id = static_cast<std::int32_t>(call.arguments[0]);
  if (!KindOfClock(id)) return -EINVAL;
  const bool coarse = id == CLOCK_REALTIME_COARSE || id == CLOCK_MONOTONIC_COARSE;
  return WriteIfAsked(tid, call.arguments[1], ToTimespec(coarse ? kCoarse : Nanoseconds(1)));
}

std::int64_t DateInSeconds(pid_t tid, const StoppedCall& call, Nanoseconds date) {
  const std::int64_t whole = std::chrono::duration_cast<seconds>(date).count();
  const std::int64_t written = WriteIfAsked(tid, call.arguments[0], whole);
  return written != 0 ? written : whole;
}

std::int64_t DateAndZone(pid_t tid, const StoppedCall& call, Nanoseconds date) {
  const std::int64_t written = WriteIfAsked(tid, call.arguments[0], ToTimeval(date));
  const std::array<std::int32_t, 2> utc{};
  return written != 0 ? written : WriteIfAsked(tid, call.arguments[1], utc);
}

std::int64_t Times(pid_t tid, const StoppedCall& call, Nanoseconds cpu, Nanoseconds since_start) {
  tms times{};
  times.tms_utime = cpu / kClockTick;
  const std::int64_t written = WriteIfAsked(tid, call.arguments[0], times);
  return written != 0 ? written : since_start / kClockTick;
}

std::int64_t ResourceUsage(pid_t tid, const StoppedCall& call, Nanoseconds cpu) {
  const auto who = static_cast<std::int32_t>(call.arguments[0]);
  if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN && who != RUSAGE_THREAD) return -EINVAL;
  rusage usage{};
  if (who != RUSAGE_CHILDREN) usage.ru_utime = ToTimeval(cpu);
  return WriteAnswer(tid, call.arguments[1], usage);
}

}  // namespace

std::optional<ClockKind> KindOfClock(std::int32_t id) {
  switch (id) {
    case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE: case CLOCK_REALTIME_ALARM: case CLOCK_TAI: return ClockKind::kDate;
    case CLOCK_MONOTONIC: case CLOCK_MONOTONIC_RAW: case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME: case CLOCK_BOOTTIME_ALARM: return ClockKind::kSinceStart;
    case CLOCK_PROCESS_CPUTIME_ID: case CLOCK_THREAD_CPUTIME_ID: return ClockKind::kCpu;
    default: return id < 0 && (id & 3) != 3 ? std::optional(ClockKind::kCpu) : std::nullopt;
  }
}

std::int64_t TellTime(pid_t tid, const StoppedCall& call, const VirtualClock& clock, std::uint64_t count) {
  switch (call.number) {
    case SYS_clock_gettime: return ClockTime(tid, call, clock, count);
    case SYS_clock_getres: return Resolution(tid, call);
    case SYS_gettimeofday: return DateAndZone(tid, call, clock.Tell(clock.Date(count), count));
    case SYS_time: return DateInSeconds(tid, call, clock.Tell(clock.Date(count), count));
    case SYS_times: return Times(tid, call, clock.Tell(VirtualClock::CpuTime(count), count), clock.Tell(clock.SinceStart(count), count));
    case SYS_getrusage: return ResourceUsage(tid, call, clock.Tell(VirtualClock::CpuTime(count), count));
    default: return -ENOSYS;
  }
}

}  // namespace tally
