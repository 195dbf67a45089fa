#include "supervisor/translator/translated_engine.h"

#include <sys/ptrace.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>

#include "base/error.h"
#include "supervisor/child_setup.h"
#include "supervisor/proc_status.h"
#include "supervisor/tracee.h"
#include "supervisor/translator/call_filter.h"
#include "supervisor/translator/guest.h"
#include "supervisor/translator/guest_start.h"
#include "supervisor/translator/injection.h"

namespace tally {
namespace {

// New code comes in bursts, so after a trap the next is looked for at once; then the loop of Watch takes over.
constexpr int kSpins = 400;
constexpr int kBurst = 1000;  // traps before the loop looks at the limits

class TranslatedEngine : public Engine {
 public:
  TranslatedEngine() = default;

  [[nodiscard]] std::string name() const override { return "translated"; }
  [[nodiscard]] std::string counter() const override { return "translator"; }
  [[nodiscard]] std::string violation() const override { return guest_.violation(); }

  void PrepareChild(ChildPlan* plan) override {
    plan->inherited.push_back({guest_.cache().fd(), kCacheDescriptor});
    plan->inherited.push_back({guest_.control().fd(), kControlDescriptor});
    plan->filters.push_back(TranslatorCallFilter());
    plan->address_randomization = false;
  }

  void OnExec(pid_t tid) override {
    if (program_ > 0) throw SystemError("translator: a second execve", 0);
    // The kernel writes execve's result into rax after the exec stop; behind the call's exit the registers are ours.
    if (!ResumeIfStopped(PTRACE_SYSCALL, tid, 0)) return;
    const std::optional<WaitStatus> status = AwaitStop(tid);
    if (!status || status->kind() != WaitStatus::Kind::kSyscallStop) return;
    program_ = tid;
    Guarded([&] { guest_.TakeOver(tid); });
  }

  std::optional<WaitStatus> Resume(pid_t tid, int signal) override {
    if (tid != program_) {
      ResumeIfStopped(PTRACE_CONT, tid, signal);
      return std::nullopt;
    }
    if (signal != 0 && !Guarded([&] { signal = guest_.PrepareSignal(signal); })) return std::nullopt;
    for (int trap = 0; trap < kBurst; ++trap) {
      if (!ResumeIfStopped(PTRACE_CONT, tid, signal)) return std::nullopt;
      const std::optional<WaitStatus> status = SpinForStop(tid);
      if (!status || !TakesStop(tid, *status) || !violation().empty()) return status;
      signal = 0;
    }
    ResumeIfStopped(PTRACE_CONT, tid, 0);
    return std::nullopt;
  }

  bool TakesStop(pid_t tid, const WaitStatus& status) override {
    if (tid != program_ || status.kind() != WaitStatus::Kind::kSignalStop) return false;
    bool ours = true;  // also when the program was killed meanwhile
    if (status.signal() == SIGTRAP) {
      Guarded([&] { ours = guest_.HandleTrap(); });
    } else if (status.signal() == SIGSEGV) {
      Guarded([&] { ours = guest_.HandleFault(); });
    } else {
      ours = false;
    }
    return ours;
  }

  std::optional<WaitStatus> ResumeCall(pid_t tid, const StoppedCall& call) override {
    if (tid == program_ && !Guarded([&] { guest_.HandleCall(call); })) return std::nullopt;
    return violation().empty() ? Resume(tid, 0) : std::nullopt;
  }

  [[nodiscard]] Measured<Instructions> Count() override { return Instructions{guest_.control().Count()}; }
  [[nodiscard]] bool CountsSystemCalls() const override { return true; }
  [[nodiscard]] std::uint64_t SystemCalls() const override { return guest_.control().SystemCalls(); }
  [[nodiscard]] EngineMemory OwnMemory() const override {
    const std::size_t zones = program_ > 0 ? guest_.cache().zones().size() : CodeCache::kZones;
    return {Bytes{zones * CodeCache::kZoneSize + 2ULL * control::kTableBytes + 4096}, resident_};
  }
  // What of our memory the program has touched (a program's own shared memory looks the same).
  void OnExitStop(pid_t tid) override {
    const Bytes most{guest_.cache().UsedBytes() + control::kSize};
    if (tid == program_) resident_ = std::min(ProcStatusBytes(tid, "RssShmem").value_or(Bytes{}), most);
  }

 private:
  // False when the program was killed meanwhile; its end is on the way to Watch.
  template <typename Action>
  static bool Guarded(Action action) {
    try {
      action();
      return true;
    } catch (const TaskIsGone&) {
      return false;
    }
  }

  static std::optional<WaitStatus> SpinForStop(pid_t tid) {
    for (int i = 0; i < kSpins; ++i) {
      siginfo_t info{};
      if (::waitid(P_PID, static_cast<id_t>(tid), &info, WSTOPPED | WNOHANG | __WALL) != 0) return std::nullopt;
      if (info.si_pid == tid) return WaitStatus::FromStop(info.si_status);
    }
    return std::nullopt;
  }

  pid_t program_ = -1;
  Bytes resident_;
  Guest guest_;
};

}  // namespace

std::unique_ptr<Engine> MakeTranslatedEngine(const Limits& limits) {
  if (limits.processes > 1) {
    throw UserError("counter=translator runs one process with one thread as yet; for more use counter=step or perf");
  }
  return std::make_unique<TranslatedEngine>();
}

}  // namespace tally
