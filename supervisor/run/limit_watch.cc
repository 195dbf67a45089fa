#include "supervisor/run/limit_watch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <thread>

#include "base/sys.h"
#include "supervisor/machine/virtual_machine.h"
#include "supervisor/resources/proc_status.h"
#include "supervisor/resources/sched_times.h"

namespace tally {
namespace {

// As late as a busy machine may wake us up, generously.
constexpr Nanoseconds kOrdinaryDelay = Milliseconds(50);

// schedstat (Documentation/scheduler/sched-stats.rst): time on a processor, time of waiting for one, both in ns.
Nanoseconds WaitIn(const std::string& schedstat) {
  const std::size_t second = schedstat.find(' ');
  return Nanoseconds(second == std::string::npos ? 0 : std::strtoll(schedstat.c_str() + second, nullptr, 10));
}
Nanoseconds WaitOf(pid_t task) { return SchedTimesOf(task).value_or(SchedTimes{}).waiting; }

// Every run asks, and to open the file takes longer than to read it. A copy of ours (fork(2)) opens its own.
Nanoseconds OurWait() {
  static pid_t whose = 0;
  static Fd file;
  if (whose != ::getpid()) {
    whose = ::getpid();
    file = sys::TryOpen("/proc/self/schedstat", O_RDONLY).value_or(Fd());
  }
  std::array<char, 128> text{};
  const ssize_t size = ::pread(file.get(), text.data(), text.size(), 0);
  return size > 0 ? WaitIn(std::string(text.data(), static_cast<std::size_t>(size))) : Nanoseconds(0);
}

// glibc reads a file for it, every time.
unsigned Cores() {
  static const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  return cores;
}

}  // namespace

LimitWatch::LimitWatch(const WatchPlan& plan, const Tasks& tasks) : plan_(plan), tasks_(tasks), limits_(plan.limits) {}

void LimitWatch::Begin() {
  if (limits_.wall_time) {
    first_ = tasks_.All().front();
    we_waited_before_ = OurWait();
  }
  start_ = sys::MonotonicNow();
  Usage none;
  none.instructions = Instructions{};
  if (limits_.memory && plan_.memory->NeedsLooks()) none.memory = Bytes{};  // it has touched none yet
  CheckAgainIn(NextCheck(limits_, none, Parallelism()));
}

void LimitWatch::Stop() { next_ = Nanoseconds::max(); }

void LimitWatch::NoteDelay() {
  if (next_ == Nanoseconds::max()) return;
  const Nanoseconds delay = sys::MonotonicNow() - next_;
  if (delay > kOrdinaryDelay) standstill_ += delay;
}

std::optional<LimitKind> LimitWatch::Check(NotItsOwn other) {
  NoteDelay();
  Stop();
  bool over_limit = false;
  plan_.ForEachPump([&](const OutputPump* pump) { over_limit = over_limit || pump->over_limit(); });
  if (over_limit) return LimitKind::kOutput;
  other.standstill = standstill_;
  if (plan_.limits.wall_time) limits_.wall_time = RealTimeLimit(*plan_.limits.wall_time, other);
  if (plan_.limits.cpu_time) limits_.cpu_time = CpuTimeLimit(*plan_.limits.cpu_time, other);
  const Usage usage = Sample();
  std::optional<LimitKind> passed = PassedLimit(limits_, usage);
  if (passed == LimitKind::kWallTime) {
    other.waited = Waited();
    limits_.wall_time = RealTimeLimit(*plan_.limits.wall_time, other);
    passed = PassedLimit(limits_, usage);
  }
  if (!passed) CheckAgainIn(NextCheck(limits_, usage, Parallelism()));
  return passed;
}

Nanoseconds LimitWatch::Wall() const { return sys::MonotonicNow() - start_ + Slept(); }

Nanoseconds LimitWatch::Slept() const {
  const VirtualMachine* const machine = plan_.engine->machine();
  return machine != nullptr ? machine->clock().slept() : Nanoseconds(0);
}

Usage LimitWatch::Sample() {
  Usage usage;
  const Measured<Instructions> count = plan_.engine->Count();
  usage.cpu = tasks_.Cpu();
  plan_.engine->CompareCount(usage.cpu.total());
  usage.wall = Wall();
  usage.idle = idle_.Sample(usage.wall - Slept() - standstill_, usage.cpu.total());
  bool waits_for_reader = false;  // ours, not for itself
  plan_.ForEachPump([&](const OutputPump* pump) { waits_for_reader = waits_for_reader || pump->waits_for_reader(); });
  const bool too_long = plan_.limits.idle_time && usage.idle >= *plan_.limits.idle_time;
  if (waits_for_reader || (too_long && WaitsForProcessor())) {
    idle_ = IdleWatch();
    usage.idle = Nanoseconds(0);
  }
  const VirtualMachine* const machine = plan_.engine->machine();
  if (machine != nullptr && plan_.limits.idle_time && machine->clock().longest_sleep() >= *plan_.limits.idle_time) {
    usage.idle = machine->clock().longest_sleep();
  }
  if (plan_.limits.instructions && count.has_value()) {
    const std::uint64_t ahead = plan_.engine->CountedAhead().count;
    usage.instructions = Instructions{count.value().count - std::min(count.value().count, ahead)};
  }
  AddMemory(&usage);
  return usage;
}

void LimitWatch::AddMemory(Usage* usage) const {
  if (!plan_.limits.memory) return;
  usage->memory = plan_.memory->Sample(tasks_.Processes());
}

void LimitWatch::NoteExit(pid_t tid) {
  if (limits_.wall_time && tid != first_) longest_wait_ = std::max(longest_wait_, WaitOf(tid));
}

Nanoseconds LimitWatch::Waited() const {
  if (!limits_.wall_time) return Nanoseconds(0);
  Nanoseconds longest = longest_wait_;
  for (const pid_t task : tasks_.All()) longest = std::max(longest, WaitOf(task));
  return plan_.limits.processes > 1 ? longest : longest + OurWait() - we_waited_before_;
}

void LimitWatch::CheckAgainIn(Nanoseconds duration) { next_ = sys::MonotonicNow() + duration; }

// A task at a stop that we have not handled yet waits for us.
bool LimitWatch::WaitsForProcessor() const {
  if (!plan_.engine->postponed().empty()) return true;
  const std::vector<pid_t> tasks = tasks_.All();
  return std::any_of(tasks.begin(), tasks.end(), IsRunnable);
}

unsigned LimitWatch::Parallelism() const { return std::min(plan_.limits.processes, Cores()); }

}  // namespace tally
