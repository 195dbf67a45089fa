#include "supervisor/translator/virtual_calls.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <ctime>

#include "supervisor/seccomp/trace_codes.h"
#include "supervisor/translator/call_filter.h"

namespace tally {
namespace {

using std::chrono::seconds;

// --- which calls stop ---

struct Stop {
  VirtualRule rule;
  std::uint32_t number;
  int no_descriptors = -1;  // the argument that must be 0: how many descriptors the call waits for
};
constexpr Stop kStops[] = {
    {VirtualRule::kTime, SYS_clock_gettime},    {VirtualRule::kTime, SYS_gettimeofday},
    {VirtualRule::kTime, SYS_time},             {VirtualRule::kTime, SYS_clock_getres},
    {VirtualRule::kTime, SYS_times},            {VirtualRule::kTime, SYS_getrusage},
    {VirtualRule::kTime, SYS_nanosleep},        {VirtualRule::kTime, SYS_clock_nanosleep},
    {VirtualRule::kTime, SYS_poll, 1},          {VirtualRule::kTime, SYS_ppoll, 1},
    {VirtualRule::kTime, SYS_select, 0},        {VirtualRule::kTime, SYS_pselect6, 0},
    {VirtualRule::kTime, SYS_alarm},            {VirtualRule::kTime, SYS_setitimer},
    {VirtualRule::kTime, SYS_timer_create},     {VirtualRule::kTime, SYS_timerfd_create},
    {VirtualRule::kRandom, SYS_getrandom},      {VirtualRule::kSystem, SYS_getcpu},
    {VirtualRule::kSystem, SYS_uname},          {VirtualRule::kSystem, SYS_sysinfo},
    {VirtualRule::kSystem, SYS_sched_getaffinity},
};


// rseq is refused whatever the sandbox says: a program that uses it depends on when the kernel interrupts it.
std::vector<sock_filter> MakeFilter(VirtualRules rules) {
  const auto if_equal = [](std::uint32_t value, std::uint8_t yes, std::uint8_t no) {
    return sock_filter{BPF_JMP | BPF_JEQ | BPF_K, yes, no, value};
  };
  const auto load = [](std::size_t offset) {
    return sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)};
  };
  const auto answer = [](std::uint32_t action) { return sock_filter{BPF_RET | BPF_K, 0, 0, action}; };
  std::vector<sock_filter> out{load(offsetof(seccomp_data, arch)),      if_equal(AUDIT_ARCH_X86_64, 1, 0),
                               answer(SECCOMP_RET_ALLOW),               load(offsetof(seccomp_data, nr)),
                               if_equal(SYS_rseq, 0, 1),                answer(SECCOMP_RET_ERRNO | ENOSYS)};
  for (const Stop& stop : kStops) {
    if (!rules.Has(stop.rule)) continue;
    if (stop.no_descriptors < 0) {
      out.insert(out.end(), {if_equal(stop.number, 0, 1), answer(kAsk)});
    } else {
      const std::size_t argument = offsetof(seccomp_data, args) + 8 * static_cast<std::size_t>(stop.no_descriptors);
      out.insert(out.end(), {if_equal(stop.number, 0, 4), load(argument), if_equal(0, 0, 1), answer(kAsk),
                             answer(SECCOMP_RET_ALLOW)});
    }
  }
  out.push_back(answer(SECCOMP_RET_ALLOW));
  return out;
}

// --- the program's memory ---

template <typename T>
bool Read(pid_t tid, std::uint64_t address, T* value) {
  return ReadTracee(tid, address, value, sizeof *value) == sizeof *value;
}

template <typename T>
std::int64_t Write(pid_t tid, std::uint64_t address, const T& value) {
  return TryWriteTracee(tid, address, &value, sizeof value) == sizeof value ? 0 : -EFAULT;
}

template <typename T>
std::int64_t WriteIfAsked(pid_t tid, std::uint64_t address, const T& value) {
  return address == 0 ? 0 : Write(tid, address, value);
}

// --- time ---

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
constexpr Nanoseconds kClockTick = Milliseconds(10);  // sysconf(_SC_CLK_TCK) is 100
constexpr Nanoseconds kCoarse = Milliseconds(4);

timespec ToTimespec(Nanoseconds time) {
  return {time.count() / kNanosecondsPerSecond, time.count() % kNanosecondsPerSecond};
}
timeval ToTimeval(Nanoseconds time) {
  return {time.count() / kNanosecondsPerSecond, time.count() % kNanosecondsPerSecond / 1000};
}

// Durations that no program lives to see are as good as each other.
constexpr std::int64_t kManySeconds = 1LL << 32;

std::optional<Nanoseconds> FromTimespec(const timespec& time) {
  if (time.tv_sec < 0 || time.tv_nsec < 0 || time.tv_nsec >= kNanosecondsPerSecond) return std::nullopt;
  return seconds(std::min<std::int64_t>(time.tv_sec, kManySeconds)) + Nanoseconds(time.tv_nsec);
}

// Kinds of clocks (include/uapi/linux/time.h). A negative id is the CPU clock of a process or thread, its two lowest
// bits 3 a device (include/linux/posix-timers.h).
enum class Clock : std::uint8_t { kDate, kSinceStart, kCpu, kNone };

Clock ClockOf(std::int32_t id) {
  switch (id) {
    case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE: case CLOCK_REALTIME_ALARM: case CLOCK_TAI: return Clock::kDate;
    case CLOCK_MONOTONIC: case CLOCK_MONOTONIC_RAW: case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME: case CLOCK_BOOTTIME_ALARM: return Clock::kSinceStart;
    case CLOCK_PROCESS_CPUTIME_ID: case CLOCK_THREAD_CPUTIME_ID: return Clock::kCpu;
    default: return id < 0 && (id & 3) != 3 ? Clock::kCpu : Clock::kNone;
  }
}

std::int64_t Resolution(pid_t tid, const StoppedCall& call) {
  const auto id = static_cast<std::int32_t>(call.arguments[0]);
  if (ClockOf(id) == Clock::kNone) return -EINVAL;
  const bool coarse = id == CLOCK_REALTIME_COARSE || id == CLOCK_MONOTONIC_COARSE;
  return WriteIfAsked(tid, call.arguments[1], ToTimespec(coarse ? kCoarse : Nanoseconds(1)));
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
  return Write(tid, call.arguments[1], usage);
}

// --- the machine ---

constexpr std::uint64_t kMemory = 8ULL << 30;

std::int64_t SystemInformation(pid_t tid, const StoppedCall& call, Nanoseconds since_start) {
  struct sysinfo info {};
  info.uptime = std::chrono::duration_cast<seconds>(since_start).count();
  info.totalram = kMemory;
  info.freeram = kMemory;
  info.procs = 1;
  info.mem_unit = 1;
  return Write(tid, call.arguments[0], info);
}

std::int64_t SystemName(pid_t tid, const StoppedCall& call) {
  utsname name{};
  std::strcpy(name.sysname, "Linux");
  std::strcpy(name.nodename, "tally");
  std::strcpy(name.release, "6.1.0");
  std::strcpy(name.version, "#1 SMP");
  std::strcpy(name.machine, "x86_64");
  std::strcpy(name.domainname, "(none)");
  return Write(tid, call.arguments[0], name);
}

std::int64_t ProcessorNumber(pid_t tid, const StoppedCall& call) {
  const std::uint32_t zero = 0;
  const std::int64_t first = WriteIfAsked(tid, call.arguments[0], zero);
  return first != 0 ? first : WriteIfAsked(tid, call.arguments[1], zero);
}

// One processor, number 0.
std::int64_t Affinity(pid_t tid, const StoppedCall& call) {
  const std::uint64_t mask = 1;
  const auto size = static_cast<std::uint32_t>(call.arguments[1]);
  if (size < sizeof mask || size % sizeof mask != 0) return -EINVAL;
  const std::int64_t written = Write(tid, call.arguments[2], mask);
  return written != 0 ? written : static_cast<std::int64_t>(sizeof mask);
}

}  // namespace

VirtualCalls::VirtualCalls(const VirtualCpuOptions& options, const Limits& limits, VirtualClock* clock)
    : rules_(options.rules),
      idle_limit_(limits.idle_time),
      wall_limit_(limits.wall_time),
      clock_(clock),
      random_(options.seed, SeededRandom::Stream::kSystemCall),
      filter_(MakeFilter(options.rules)) {}

VirtualCalls::Outcome VirtualCalls::Answer(pid_t tid, const StoppedCall& call, std::uint64_t count, bool alone) {
  if (call.arch != AUDIT_ARCH_X86_64) return Outcome::kNotOurs;
  const auto* const stop = std::find_if(std::begin(kStops), std::end(kStops),
                                        [&](const Stop& s) { return s.number == call.number; });
  if (stop == std::end(kStops) || !rules_.Has(stop->rule)) return Outcome::kNotOurs;
  const std::optional<std::int64_t> result = ResultOf(tid, call, count, alone);
  if (too_long_) return Outcome::kTooLong;
  if (!result) return Outcome::kNotOurs;
  user_regs_struct registers{};
  if (!Registers(tid, &registers)) return Outcome::kAnswered;  // killed meanwhile
  registers.orig_rax = ~0ULL;
  registers.rax = static_cast<std::uint64_t>(*result);
  SetRegisters(tid, registers);
  return Outcome::kAnswered;
}

std::optional<std::int64_t> VirtualCalls::ResultOf(pid_t tid, const StoppedCall& call, std::uint64_t count,
                                                   bool alone) {
  switch (call.number) {
    case SYS_clock_gettime:
    case SYS_gettimeofday:
    case SYS_time: return GetTime(tid, call, count);
    case SYS_clock_getres: return Resolution(tid, call);
    case SYS_times: return Times(tid, call, VirtualClock::CpuTime(count), clock_->SinceStart(count));
    case SYS_getrusage: return ResourceUsage(tid, call, VirtualClock::CpuTime(count));
    case SYS_sysinfo: return SystemInformation(tid, call, clock_->SinceStart(count));
    case SYS_uname: return SystemName(tid, call);
    case SYS_getcpu: return ProcessorNumber(tid, call);
    case SYS_sched_getaffinity: return Affinity(tid, call);
    case SYS_getrandom: return FillRandom(tid, call);
    case SYS_alarm:
    case SYS_setitimer:
    case SYS_timer_create:
    case SYS_timerfd_create: used_timers_ = true; return std::nullopt;
    case SYS_nanosleep: return alone ? SleepFor(tid, call.arguments[0]) : std::nullopt;
    case SYS_clock_nanosleep: return alone ? ClockSleep(tid, call, count) : std::nullopt;
    default: return alone ? WaitForNothing(tid, call) : std::nullopt;
  }
}

std::int64_t VirtualCalls::GetTime(pid_t tid, const StoppedCall& call, std::uint64_t count) const {
  if (call.number == SYS_time) {
    const std::int64_t date = std::chrono::duration_cast<seconds>(clock_->Date(count)).count();
    const std::int64_t written = WriteIfAsked(tid, call.arguments[0], date);
    return written != 0 ? written : date;
  }
  if (call.number == SYS_gettimeofday) {
    const std::int64_t written = WriteIfAsked(tid, call.arguments[0], ToTimeval(clock_->Date(count)));
    const std::array<std::int32_t, 2> utc{};
    return written != 0 ? written : WriteIfAsked(tid, call.arguments[1], utc);
  }
  switch (ClockOf(static_cast<std::int32_t>(call.arguments[0]))) {
    case Clock::kDate: return Write(tid, call.arguments[1], ToTimespec(clock_->Date(count)));
    case Clock::kSinceStart: return Write(tid, call.arguments[1], ToTimespec(clock_->SinceStart(count)));
    case Clock::kCpu: return Write(tid, call.arguments[1], ToTimespec(VirtualClock::CpuTime(count)));
    case Clock::kNone: break;
  }
  return -EINVAL;
}

// Only so far as the limits reach, to the one that is passed first; from there the program does not go on.
void VirtualCalls::Sleep(Nanoseconds duration) {
  constexpr Nanoseconds kPast = Milliseconds(1);
  const Nanoseconds left = wall_limit_ ? *wall_limit_ - clock_->slept() : Nanoseconds::max();
  if (idle_limit_ && duration >= *idle_limit_ && *idle_limit_ <= left) {
    too_long_ = true;
    duration = *idle_limit_;
  } else if (duration > left) {
    too_long_ = true;
    duration = left + kPast;
  }
  clock_->Sleep(duration);
}

std::optional<std::int64_t> VirtualCalls::SleepFor(pid_t tid, std::uint64_t timespec_at) {
  timespec asked{};
  if (!Read(tid, timespec_at, &asked)) return -EFAULT;
  const std::optional<Nanoseconds> duration = FromTimespec(asked);
  if (!duration) return -EINVAL;
  Sleep(*duration);
  return 0;
}

// Clocks that are slept by (kernel/time/posix-timers.c). By a CPU clock a program that sleeps waits for ever: that it
// may do in truth.
std::optional<std::int64_t> VirtualCalls::ClockSleep(pid_t tid, const StoppedCall& call, std::uint64_t count) {
  Nanoseconds now{0};
  switch (static_cast<std::int32_t>(call.arguments[0])) {
    case CLOCK_REALTIME: case CLOCK_TAI: now = clock_->Date(count); break;
    case CLOCK_MONOTONIC: case CLOCK_BOOTTIME: now = clock_->SinceStart(count); break;
    default: return std::nullopt;
  }
  if ((call.arguments[1] & TIMER_ABSTIME) == 0) return SleepFor(tid, call.arguments[2]);
  timespec asked{};
  if (!Read(tid, call.arguments[2], &asked)) return -EFAULT;
  const std::optional<Nanoseconds> until = FromTimespec(asked);
  if (!until) return -EINVAL;
  if (*until > now) Sleep(*until - now);
  return 0;
}

// poll and select without descriptors are sleeps. They leave 0 in the time that was asked for, where they can.
std::optional<std::int64_t> VirtualCalls::WaitForNothing(pid_t tid, const StoppedCall& call) {
  const auto& a = call.arguments;
  const std::uint64_t descriptors = call.number == SYS_poll || call.number == SYS_ppoll ? a[1] : a[0];
  if (static_cast<std::uint32_t>(descriptors) != 0) return std::nullopt;
  if (call.number == SYS_poll) {
    const auto milliseconds = static_cast<std::int32_t>(a[2]);
    if (milliseconds < 0) return std::nullopt;  // for ever: in truth
    Sleep(Milliseconds(milliseconds));
    return 0;
  }
  const std::uint64_t time_at = call.number == SYS_ppoll ? a[2] : a[4];
  const std::uint64_t mask_at = call.number == SYS_ppoll ? a[3] : call.number == SYS_pselect6 ? a[5] : 0;
  if (time_at == 0 || mask_at != 0) return std::nullopt;  // for ever, or for a signal
  timespec asked{};
  if (!Read(tid, time_at, &asked)) return -EFAULT;
  if (call.number == SYS_select) {  // a timeval, whose microseconds may be any number
    asked.tv_sec = std::min<std::int64_t>(asked.tv_sec, kManySeconds) + asked.tv_nsec / 1'000'000;
    asked.tv_nsec = asked.tv_nsec % 1'000'000 * 1000;
  }
  const std::optional<Nanoseconds> duration = FromTimespec(asked);
  if (!duration) return -EINVAL;
  Sleep(*duration);
  Write(tid, time_at, timespec{});
  return 0;
}

std::int64_t VirtualCalls::FillRandom(pid_t tid, const StoppedCall& call) {
  constexpr std::uint64_t kMost = 33'554'431;  // getrandom(2): of one call
  const std::uint64_t flags = call.arguments[2];
  if ((flags & ~std::uint64_t{GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE}) != 0) return -EINVAL;
  if ((flags & GRND_RANDOM) != 0 && (flags & GRND_INSECURE) != 0) return -EINVAL;
  const std::uint64_t size = std::min(call.arguments[1], kMost);
  std::array<char, 16 << 10> bytes;
  std::uint64_t done = 0;
  while (done < size) {
    const std::size_t n = std::min<std::uint64_t>(size - done, bytes.size());
    random_.Fill(bytes.data(), n);
    const std::size_t written = TryWriteTracee(tid, call.arguments[0] + done, bytes.data(), n);
    done += written;
    if (written < n) break;
  }
  return done == 0 && size > 0 ? -EFAULT : static_cast<std::int64_t>(done);
}

}  // namespace tally
