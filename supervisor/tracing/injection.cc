#include "supervisor/tracing/injection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "base/error.h"
#include "base/sys.h"
#include "supervisor/tracing/tracee.h"
#include "supervisor/tracing/waits.h"

namespace tally {

namespace {

// Of an interrupt, or of the whole process by a signal: what the task was at goes on behind it.
bool IsBreak(const WaitStatus& stop) { return stop.event() == PTRACE_EVENT_STOP; }

// A stop is microseconds away, on a machine that has stood still some seconds.
constexpr Nanoseconds kLongestWait = std::chrono::seconds(20);

// Sleeps until a child has something to tell. SIGCHLD is blocked (run/wake_ups.cc); one that was meant for another is not
// lost, for Watch asks for all that happened before it sleeps.
void AwaitChild(Nanoseconds until) {
  const Nanoseconds left = until - sys::MonotonicNow();
  if (left <= Nanoseconds(0)) throw TaskDoesNotStop{};
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  constexpr Nanoseconds kLongest = std::chrono::milliseconds(100);  // where nobody has blocked it
  const timespec patience{0, std::min(left, kLongest).count()};
  ::sigtimedwait(&child, nullptr, &patience);
}

// `goes_on`: a moment ago it was let go on, so it has nothing to tell yet, unless it runs on another processor, and then it is soon there.
std::optional<WaitStatus> Await(pid_t tid, std::optional<WaitStatus::Kind> wanted, bool or_break, bool goes_on) {
  const Nanoseconds until = sys::MonotonicNow() + kLongestWait;
  if (goes_on) AwaitChild(until);
  for (;;) {
    const auto [is_ours, event] = waits::LookAt(tid);
    if (!is_ours) return std::nullopt;
    if (!event) {
      AwaitChild(until);
      continue;
    }
    const bool at_its_end = event->IsEnd() || (event->kind() == WaitStatus::Kind::kEvent && event->event() == PTRACE_EVENT_EXIT);
    const bool is_wanted = !wanted || event->kind() == *wanted || (or_break && IsBreak(*event));
    if (at_its_end || !is_wanted) return std::nullopt;
    if (const auto stop = waits::TakeStop(tid).stop) return stop;
  }
}

}  // namespace

std::optional<WaitStatus> AwaitStop(pid_t tid, std::optional<WaitStatus::Kind> wanted) { return Await(tid, wanted, false, false); }

std::optional<WaitStatus> RunToStop(__ptrace_request how, pid_t tid, int signal, std::optional<WaitStatus::Kind> wanted) {
  bool is_to_stop = false;
  for (;;) {
    if (!ResumeIfStopped(how, tid, signal)) return std::nullopt;
    const std::optional<WaitStatus> status = Await(tid, wanted, true, true);
    if (!status || !IsBreak(*status)) {
      if (is_to_stop) StopAgain(tid);
      return status;
    }
    is_to_stop = is_to_stop || status->kind() == WaitStatus::Kind::kGroupStop;
    signal = 0;
  }
}

namespace {

constexpr std::uint64_t BitOf(int signal) { return 1ULL << (signal - 1); }
constexpr std::uint64_t kFromInstructions =
    BitOf(SIGTRAP) | BitOf(SIGSEGV) | BitOf(SIGBUS) | BitOf(SIGFPE) | BitOf(SIGILL) | BitOf(SIGSYS);

void SetSignalMask(pid_t tid, std::uint64_t mask) { ::ptrace(PTRACE_SETSIGMASK, tid, sizeof mask, &mask); }

}  // namespace

SignalsHeld::SignalsHeld(pid_t tid) : tid_(tid) {
  if (::ptrace(PTRACE_GETSIGMASK, tid, sizeof before_, &before_) != 0) throw TaskIsGone{};
  // A SIGTRAP that comes while it is blocked changes more than the mask (guest_actions.cc).
  SetSignalMask(tid, (before_ | ~kFromInstructions) & ~BitOf(SIGTRAP));
}

SignalsHeld::~SignalsHeld() { SetSignalMask(tid_, before_); }

BorrowedWord::BorrowedWord(pid_t tid, std::uint64_t address, std::uint32_t code) : tid_(tid), address_(address) {
  errno = 0;
  before_ = ::ptrace(PTRACE_PEEKTEXT, tid, address, nullptr);
  if (errno == ESRCH) throw TaskIsGone{};
  if (errno != 0) throw GadgetFaults{};  // nothing is mapped there
  Poke((before_ & ~0xffffffffL) | static_cast<long>(code));
}

void BorrowedWord::Poke(long word) const { ::ptrace(PTRACE_POKETEXT, tid_, address_, word); }

void CallSeries::Add(const char* what, long number, const CallArguments& arguments) {
  std::array<std::uint64_t, 7>& words = words_.emplace_back();
  words[0] = static_cast<std::uint64_t>(number);
  std::copy(arguments.begin(), arguments.end(), words.begin() + 1);
  what_.push_back(what);
}

user_regs_struct Injector::Run(const user_regs_struct& before, user_regs_struct call) const {
  call.orig_rax = ~0ULL;  // we are in no system call: the kernel must not restart one
  if (!SetRegisters(tid_, call)) throw TaskIsGone{};
  const SignalsHeld held(tid_);
  std::vector<int> others;  // that cannot be held
  for (;;) {
    const std::optional<WaitStatus> status = RunToStop(PTRACE_CONT, tid_, 0);
    if (!status) throw TaskIsGone{};
    if (status->kind() == WaitStatus::Kind::kEvent && status->event() == PTRACE_EVENT_SECCOMP) continue;
    if (status->kind() != WaitStatus::Kind::kSignalStop) throw TaskIsGone{};
    if (status->signal() == SIGTRAP) break;
    siginfo_t info{};
    const bool has_info = ::ptrace(PTRACE_GETSIGINFO, tid_, nullptr, &info) == 0;
    if (has_info && info.si_code > 0 && (status->signal() == SIGSEGV || status->signal() == SIGBUS)) throw GadgetFaults{};
    others.push_back(status->signal());
  }
  user_regs_struct after{};
  if (!Registers(tid_, &after) || !SetRegisters(tid_, before)) throw TaskIsGone{};
  for (const int signal : others) ::syscall(SYS_tkill, tid_, signal);
  return after;
}

std::int64_t Injector::Call(long number, const CallArguments& arguments) const {
  user_regs_struct before{};
  if (!Registers(tid_, &before)) throw TaskIsGone{};
  user_regs_struct call = before;
  call.rax = static_cast<std::uint64_t>(number);
  call.rdi = arguments[0];
  call.rsi = arguments[1];
  call.rdx = arguments[2];
  call.r10 = arguments[3];
  call.r8 = arguments[4];
  call.r9 = arguments[5];
  call.rip = gadget_;
  return static_cast<std::int64_t>(Run(before, call).rax);
}

namespace {

std::uint64_t MustSucceed(const char* what, std::int64_t result) {
  if (result == -ENOMEM) throw NoRoomInProgram(what, ENOMEM);
  if (result < 0 && result > -4096) throw SystemError(what, static_cast<int>(-result));
  return static_cast<std::uint64_t>(result);
}

}  // namespace

std::uint64_t Injector::MustCall(const char* what, long number, const CallArguments& arguments) const {
  return MustSucceed(what, Call(number, arguments));
}

void Injector::MustCallAll(const CallSeries& series, std::uint64_t code, std::uint64_t words) const {
  if (series.words().empty()) return;
  constexpr std::size_t kBytes = sizeof series.words().front();
  user_regs_struct before{};
  if (!Registers(tid_, &before)) throw TaskIsGone{};
  user_regs_struct call = before;
  call.rbx = words;
  call.rbp = words + series.words().size() * kBytes;
  call.rip = code;
  const user_regs_struct after = Run(before, call);
  MustSucceed(series.what((after.rbx - words) / kBytes - 1), static_cast<std::int64_t>(after.rax));
}

// By /proc: pidfd_open(2) takes a process's first thread only, and that may have ended before the others.
Fd Injector::FileOf(std::uint64_t descriptor) const {
  Fd file(::open(fmt::format("/proc/{}/fd/{}", tid_, descriptor).c_str(), O_RDWR | O_CLOEXEC));
  if (!file.valid() && errno == ENOENT) throw TaskIsGone{};
  if (!file.valid()) throw SystemError("open a file of the program's", errno);
  return file;
}

}  // namespace tally
