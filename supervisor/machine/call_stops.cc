#include "supervisor/machine/call_stops.h"

#include <asm/prctl.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <iterator>

#include "supervisor/machine/large_mappings.h"
#include "supervisor/machine/system_calls.h"
#include "supervisor/machine/virtual_status.h"
#include "supervisor/tracing/filter_words.h"

namespace tally {
namespace {

constexpr int kAnyArguments = -1;
constexpr std::uint32_t kFutexWait = FUTEX_WAIT_BITSET;  // the one that waits until a moment, if it has an end

struct Stop {
  VirtualRule rule;
  std::uint32_t number;
  int argument = kAnyArguments;  // that must have this value, in its lower half
  std::uint32_t value = 0;
};
constexpr Stop kStops[] = {
    {VirtualRule::kTime, SYS_clock_gettime},    {VirtualRule::kTime, SYS_gettimeofday},
    {VirtualRule::kTime, SYS_time},             {VirtualRule::kTime, SYS_clock_getres},
    {VirtualRule::kTime, SYS_times},            {VirtualRule::kTime, SYS_getrusage},
    {VirtualRule::kTime, SYS_nanosleep},        {VirtualRule::kTime, SYS_clock_nanosleep},
    {VirtualRule::kTime, SYS_poll, 1},          {VirtualRule::kTime, SYS_ppoll, 1},  // for no descriptors
    {VirtualRule::kTime, SYS_select, 0},        {VirtualRule::kTime, SYS_pselect6, 0},
    {VirtualRule::kTime, SYS_futex, 1, kFutexWait},
    {VirtualRule::kTime, SYS_futex, 1, kFutexWait | FUTEX_PRIVATE_FLAG},
    {VirtualRule::kTime, SYS_futex, 1, kFutexWait | FUTEX_CLOCK_REALTIME},
    {VirtualRule::kTime, SYS_futex, 1, kFutexWait | FUTEX_CLOCK_REALTIME | FUTEX_PRIVATE_FLAG},
    {VirtualRule::kTime, SYS_alarm},            {VirtualRule::kTime, SYS_setitimer},
    {VirtualRule::kTime, SYS_timer_create},     {VirtualRule::kTime, SYS_timerfd_create},
    {VirtualRule::kRandom, SYS_getrandom},      {VirtualRule::kSystem, SYS_getcpu},
    {VirtualRule::kSystem, SYS_uname},          {VirtualRule::kSystem, SYS_sysinfo},
    {VirtualRule::kSystem, SYS_sched_getaffinity}, {VirtualRule::kSystem, SYS_getpriority},
    {VirtualRule::kSystem, SYS_getdents},       {VirtualRule::kSystem, SYS_getdents64},
    {VirtualRule::kCpu, SYS_arch_prctl, 0, ARCH_GET_CPUID},
    {VirtualRule::kCpu, SYS_arch_prctl, 0, ARCH_SET_CPUID},
    {VirtualRule::kCpu, SYS_arch_prctl, 0, xcomp::kGetSupported},
    {VirtualRule::kCpu, SYS_arch_prctl, 0, xcomp::kGetPermitted},
    {VirtualRule::kCpu, SYS_arch_prctl, 0, xcomp::kRequest},
    {VirtualRule::kCpu, SYS_arch_prctl, 0, xcomp::kGetPermittedOfGuests},
    {VirtualRule::kCpu, SYS_arch_prctl, 0, xcomp::kRequestForGuests},
};

// The argument that is an address for a struct rusage, or none.
struct UsageAddress {
  std::uint32_t number;
  unsigned argument;
};
constexpr UsageAddress kUsageAddresses[] = {{SYS_wait4, 3}, {SYS_waitid, 4}};

}  // namespace

std::vector<sock_filter> MakeStopFilter(VirtualRules rules, bool at_status) {
  const auto if_equal = [](std::uint32_t value, std::uint8_t yes, std::uint8_t no) {
    return sock_filter{BPF_JMP | BPF_JEQ | BPF_K, yes, no, value};
  };
  const auto load = [](std::size_t offset) {
    return sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)};
  };
  const auto answer = [](std::uint32_t action) { return sock_filter{BPF_RET | BPF_K, 0, 0, action}; };
  const sock_filter load_number = load(offsetof(seccomp_data, nr));
  std::vector<sock_filter> out{load(offsetof(seccomp_data, arch)),      if_equal(AUDIT_ARCH_X86_64, 1, 0),
                               answer(SECCOMP_RET_ALLOW),               load_number,
                               if_equal(SYS_rseq, 0, 1),                answer(SECCOMP_RET_ERRNO | ENOSYS)};
  // The virtual processor has no protection keys, whatever the real one has (pkeys(7)).
  if (rules.Has(VirtualRule::kCpu)) {
    constexpr std::uint32_t kNoKey = ~0U;
    out.insert(out.end(), {if_equal(SYS_pkey_alloc, 0, 1), answer(SECCOMP_RET_ERRNO | ENOSPC), if_equal(SYS_pkey_free, 0, 1), answer(SECCOMP_RET_ERRNO | EINVAL),
                           if_equal(SYS_pkey_mprotect, 0, 4), load(LowWordOf(3)), if_equal(kNoKey, 1, 0), answer(SECCOMP_RET_ERRNO | EINVAL), load_number});
  }
  // How its judge is scheduled, a program would see otherwise, and how long a slice of this kernel is.
  if (rules.Has(VirtualRule::kSystem)) {
    out.insert(out.end(), {if_equal(SYS_sched_getscheduler, 0, 1), answer(SECCOMP_RET_ERRNO | SCHED_OTHER), if_equal(SYS_sched_getattr, 1, 0),
                           if_equal(SYS_sched_rr_get_interval, 0, 1), answer(SECCOMP_RET_ERRNO | ENOSYS)});
  }
  for (const Stop& stop : kStops) {
    if (!rules.Has(stop.rule)) continue;
    if (stop.argument == kAnyArguments) {
      out.insert(out.end(), {if_equal(stop.number, 0, 1), answer(kAsk)});
    } else {
      out.insert(out.end(), {if_equal(stop.number, 0, 4), load(LowWordOf(static_cast<unsigned>(stop.argument))),
                             if_equal(stop.value, 0, 1), answer(kAsk), load_number});
    }
  }
  for (const std::uint32_t number : kStatusCalls) {
    if (at_status && rules.Has(VirtualRule::kSystem)) out.insert(out.end(), {if_equal(number, 0, 1), answer(kAsk)});
  }
  for (const UsageAddress& usage : kUsageAddresses) {
    if (!rules.Has(VirtualRule::kTime)) continue;
    out.insert(out.end(), {if_equal(usage.number, 0, 6), load(LowWordOf(usage.argument)), if_equal(0, 1, 0), answer(kAsk),
                           load(HighWordOf(usage.argument)), if_equal(0, 1, 0), answer(kAsk), load_number});
  }
  if (rules.Has(VirtualRule::kAddresses)) {
    const std::vector<sock_filter> mappings = StopAtLargeMappings();
    out.insert(out.end(), mappings.begin(), mappings.end());
  }
  out.push_back(answer(SECCOMP_RET_ALLOW));
  return out;
}

bool AsksOfChildren(const StoppedCall& call, VirtualRules rules) {
  return call.arch == AUDIT_ARCH_X86_64 && rules.Has(VirtualRule::kTime) &&
         std::any_of(std::begin(kUsageAddresses), std::end(kUsageAddresses),
                     [&](const UsageAddress& usage) { return usage.number == call.number && call.arguments[usage.argument] != 0; });
}

bool StopsForMachine(const StoppedCall& call, VirtualRules rules) {
  if (call.arch != AUDIT_ARCH_X86_64) return false;
  return std::any_of(std::begin(kStops), std::end(kStops), [&](const Stop& stop) {
    return stop.number == call.number && rules.Has(stop.rule) &&
           (stop.argument == kAnyArguments || static_cast<std::uint32_t>(call.arguments[stop.argument]) == stop.value);
  });
}

}  // namespace tally
