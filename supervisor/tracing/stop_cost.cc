#include "supervisor/tracing/stop_cost.h"

#include <linux/audit.h>
#include <sys/ptrace.h>

#include <algorithm>

#include "base/sys.h"
#include "supervisor/resources/sched_times.h"
#include "supervisor/tracing/stop_burst.h"

namespace tally {
namespace {

constexpr std::uint64_t kCallLength = 2;  // syscall

// A task that does not come back to its call by then, because another has its processor or another thread has changed the
// code, goes on as any that runs: Watch sees where it stops.
constexpr Nanoseconds kLongest = std::chrono::milliseconds(20);

Nanoseconds CpuTimeOf(pid_t tid) { return SchedTimesOf(tid).value_or(SchedTimes{}).on_processor; }

}  // namespace

StopsOfOurs::StopsOfOurs(pid_t tid, StopTimes* sum) : tid_(tid), sum_(*sum), begin_{CpuTimeOf(tid), sys::MonotonicNow()} {}

StopsOfOurs::~StopsOfOurs() {
  sum_.cpu += std::max(CpuTimeOf(tid_) - begin_.cpu, Nanoseconds(0));
  sum_.real += sys::MonotonicNow() - begin_.real;
}

// In i386 programs a call may come from the vDSO, by an instruction of another length.
bool StopCost::IsDue(std::uint64_t calls, const StoppedCall& call) {
  return calls != 0 && calls % kEvery == 0 && call.arch == AUDIT_ARCH_X86_64;
}

std::optional<WaitStatus> StopCost::Measure(pid_t tid) {
  user_regs_struct registers{};
  if (!Registers(tid, &registers)) return std::nullopt;
  registers.rip -= kCallLength;
  registers.rax = registers.orig_rax;
  registers.orig_rax = ~0ULL;  // the call is not made (kernel/seccomp.c, __seccomp_filter: "Skip the syscall if skip")
  if (!SetRegisters(tid, registers)) return std::nullopt;
  const Nanoseconds cpu = CpuTimeOf(tid);
  const Nanoseconds begin = sys::MonotonicNow();
  if (!ResumeIfStopped(PTRACE_CONT, tid, 0)) return std::nullopt;
  const std::optional<WaitStatus> stop = StopBurst(tid, false, begin + kLongest).Next();
  const Nanoseconds end = sys::MonotonicNow();
  if (stop && stop->event() == PTRACE_EVENT_SECCOMP) {
    ++measurements_;
    cpu_ += std::max(CpuTimeOf(tid) - cpu, Nanoseconds(0));
    real_ += end - begin;
  }
  return stop;
}

// A measurement is a stop more.
Nanoseconds StopCost::Of(Nanoseconds measured, std::uint64_t calls) const {
  if (measurements_ == 0) return Nanoseconds(0);
  const double mean = static_cast<double>(measured.count()) / static_cast<double>(measurements_);
  return Nanoseconds(static_cast<std::int64_t>(mean * static_cast<double>(calls))) + measured;
}

}  // namespace tally
