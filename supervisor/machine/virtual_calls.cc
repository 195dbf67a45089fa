#include "supervisor/machine/virtual_calls.h"

#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "supervisor/machine/call_stops.h"
#include "supervisor/machine/system_calls.h"
#include "supervisor/machine/time_calls.h"
#include "supervisor/machine/virtual_cpu.h"
#include "supervisor/tracing/injection.h"

namespace tally {

namespace {

// Then a trap of its own comes behind the call.
bool StepsItself(pid_t tid) {
  constexpr std::uint64_t kTrapFlag = 1 << 8;
  user_regs_struct registers{};
  return Registers(tid, &registers) && (registers.eflags & kTrapFlag) != 0;
}

}  // namespace

VirtualCalls::VirtualCalls(const VirtualCpuOptions& options, const Limits& limits, VirtualClock* clock, bool stops_at_status)
    : rules_(options.rules),
      components_(VirtualCpu::StateComponents(options)),
      clock_(clock),
      sleep_(limits, clock),
      random_(options.seed, SeededRandom::Stream::kSystemCall),
      mappings_(limits.stack),
      stops_at_status_(stops_at_status),
      filter_(MakeStopFilter(options.rules, stops_at_status)) {}

VirtualCalls::Outcome VirtualCalls::Answer(pid_t tid, const StoppedCall& call, std::uint64_t count, bool alone) {
  if (alone && rules_.Has(VirtualRule::kAddresses)) {
    if (mappings_.Place(tid, call)) return Outcome::kPlaced;
    populated_ = populated_ || (ChoosesLargePlace(call) && Populates(call));
  }
  if (stops_at_status_ && rules_.Has(VirtualRule::kSystem) && TellsStatus(call.number)) return StepsItself(tid) ? Outcome::kNotOurs : Outcome::kChanged;
  asked_of_children_ = asked_of_children_ || AsksOfChildren(call, rules_);
  if (!StopsForMachine(call, rules_)) return Outcome::kNotOurs;
  const std::optional<std::int64_t> result = ResultOf(tid, call, count, alone);
  if (sleep_.too_long()) return Outcome::kTooLong;
  if (!result) return Outcome::kNotOurs;
  AnswerCall(tid, *result);  // false: it was killed meanwhile, and its end is on the way
  return Outcome::kAnswered;
}

bool VirtualCalls::Make(pid_t tid, const StoppedCall& call, Outcome outcome) {
  if (outcome == Outcome::kPlaced) return MakePlacedCall(tid, call);
  if (files_.began == 0) files_.Begin(tid);
  user_regs_struct registers{};
  if (!RunToStop(PTRACE_SYSCALL, tid, 0, WaitStatus::Kind::kSyscallStop) || !Registers(tid, &registers)) return false;
  if (registers.rax == 0) MakeWrittenVirtual(files_, tid, call);
  return true;
}

std::optional<std::int64_t> VirtualCalls::ResultOf(pid_t tid, const StoppedCall& call, std::uint64_t count,
                                                   bool alone) {
  switch (call.number) {
    case SYS_clock_gettime:
    case SYS_clock_getres:
    case SYS_gettimeofday:
    case SYS_time:
    case SYS_times:
    case SYS_getrusage: return TellTime(tid, call, *clock_, count);
    case SYS_uname:
    case SYS_sysinfo:
    case SYS_getcpu:
    case SYS_getpriority:
    case SYS_sched_getaffinity:
    case SYS_arch_prctl: return TellSystem(tid, call, clock_->Tell(clock_->SinceStart(count), count), components_);
    case SYS_getrandom: return FillRandom(tid, call);
    case SYS_alarm:
    case SYS_setitimer:
    case SYS_timer_create:
    case SYS_timerfd_create: used_timers_ = true; return std::nullopt;
    case SYS_getdents64: {
      const auto listed = folders_.Answer(tid, call);
      listed_folder_ = listed_folder_ || !listed;
      return listed;
    }
    case SYS_getdents: listed_folder_ = true; return std::nullopt;
    default: return alone ? sleep_.Answer(tid, call, count) : std::nullopt;
  }
}

std::int64_t VirtualCalls::FillRandom(pid_t tid, const StoppedCall& call) {
  constexpr std::uint64_t kMost = 33'554'431;  // getrandom(2): of one call
  const std::uint64_t flags = call.arguments[2];
  if ((flags & ~std::uint64_t{GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE}) != 0) return -EINVAL;
  if ((flags & GRND_RANDOM) != 0 && (flags & GRND_INSECURE) != 0) return -EINVAL;
  const std::uint64_t size = std::min(call.arguments[1], kMost);
  std::array<char, 16 << 10> bytes;
  const SeededRandom before = random_;
  std::uint64_t done = 0;
  while (done < size) {
    const std::size_t n = std::min<std::uint64_t>(size - done, bytes.size());
    random_.Fill(bytes.data(), n);
    const std::size_t written = TryWriteTracee(tid, call.arguments[0] + done, bytes.data(), n);
    done += written;
    if (written < n) break;
  }
  if (done != 0 || size == 0) return static_cast<std::int64_t>(done);
  random_ = before;  // it may be asked again (guest_calls.cc)
  return -EFAULT;
}

}  // namespace tally
