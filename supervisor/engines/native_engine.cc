// The native engine: the processor executes the program as it is on this machine, a hardware counter counts where there
// is one.
//
// Where the program stops at a system call, the next one is often not far: where each is counted by a stop, all are. So we
// and the program stay on one processor for a while, and its next stop is awaited here (stop_burst.h). Not where Watch has to
// empty a pipe for the program to go on: there we only stay together.
#include <linux/audit.h>
#include <sys/syscall.h>

#include "base/sys.h"
#include "supervisor/engines/native_engine.h"
#include "supervisor/engines/perf_counter.h"
#include "supervisor/tracing/one_processor.h"
#include "supervisor/tracing/stop_burst.h"
#include "supervisor/tracing/tracee.h"

namespace tally {
namespace {

// It would see that it is kept on one.
bool AsksForProcessors(const StoppedCall& call) {
  constexpr std::uint64_t kInI386 = 242;  // arch/x86/entry/syscalls/syscall_32.tbl
  return call.number == (call.arch == AUDIT_ARCH_I386 ? kInI386 : std::uint64_t{SYS_sched_getaffinity});
}

class NativeEngine : public Engine {
 public:
  // Without `count` the instructions are absent, because of `why_not`.
  NativeEngine(bool count, std::string why_not, const Limits& limits)
      : count_(count), why_not_(std::move(why_not)), limit_(limits.instructions), tasks_(limits.processes) {}

  [[nodiscard]] std::string name() const override { return "native"; }
  [[nodiscard]] std::string counter() const override { return count_ ? "perf" : "none"; }

  void Attach(pid_t program) override {
    if (count_) perf_.emplace(program, limit_, tasks_);
  }
  std::optional<WaitStatus> Resume(pid_t tid, int signal) override {
    Part();
    ResumeIfStopped(PTRACE_CONT, tid, signal);
    return std::nullopt;
  }
  std::optional<WaitStatus> ResumeCall(pid_t tid, const StoppedCall& call) override {
    if (tasks_ > 1 || AsksForProcessors(call)) return Resume(tid, 0);
    if (pumped_) return ResumeTogether(tid);
    if (burst_ && burst_->IsLong()) burst_.reset();
    if (!burst_) burst_.emplace(tid, true, return_by_);
    const std::optional<WaitStatus> next = ResumeIfStopped(PTRACE_CONT, tid, 0) ? burst_->Next() : std::nullopt;
    if (!next) burst_.reset();
    return next;
  }
  void OnStopped(pid_t) override { Part(); }
  void OnExitStop(pid_t) override { Part(); }
  void OnReaped(pid_t) override { Part(); }
  void OutputIsPumped() override { pumped_ = true; }
  void ReturnBy(Nanoseconds when) override { return_by_ = when; }
  Nanoseconds Check() override {
    if (together_ && sys::MonotonicNow() >= last_call_ + StopBurst::kPatience) together_.reset();
    return together_ ? StopBurst::kPatience : Nanoseconds::max();
  }
  [[nodiscard]] Measured<Instructions> Count() override {
    return perf_ ? perf_->Read() : Measured<Instructions>::Absent(why_not_);
  }

 private:
  std::optional<WaitStatus> ResumeTogether(pid_t tid) {
    const Nanoseconds now = sys::MonotonicNow();
    if (!together_ && now < last_call_ + StopBurst::kPatience) together_.emplace(tid);
    last_call_ = now;
    ResumeIfStopped(PTRACE_CONT, tid, 0);
    return std::nullopt;
  }
  void Part() {
    burst_.reset();
    together_.reset();
  }

  bool count_;
  std::string why_not_;
  std::optional<Instructions> limit_;
  unsigned tasks_;
  std::optional<PerfCounter> perf_;
  bool pumped_ = false;
  Nanoseconds return_by_ = Nanoseconds::max();
  std::optional<StopBurst> burst_;
  std::optional<OneProcessor> together_;
  Nanoseconds last_call_{0};
};

}  // namespace

std::unique_ptr<Engine> MakeNativeEngine(bool count, std::string why_not, const Limits& limits) {
  return std::make_unique<NativeEngine>(count, std::move(why_not), limits);
}

}  // namespace tally
