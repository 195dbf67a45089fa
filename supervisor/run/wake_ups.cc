#include "supervisor/run/wake_ups.h"

#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

#include "base/descriptor_signal.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"

namespace tally {
namespace {

constexpr std::uint64_t kSlice = 500'000;  // ns

constexpr int kInterrupts[] = {SIGINT, SIGTERM, SIGHUP};

// Blocked for the life of the process: they are read from the signalfd instead. So an interrupt ends a run at
// once, and between runs waits for the next one.
int SignalDescriptor() {
  static const Fd descriptor = [] {
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGCHLD);
    ::sigaddset(&set, SIGIO);
    for (const int signal : kInterrupts) {
      if (!sys::IsIgnored(signal)) ::sigaddset(&set, signal);
    }
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    ::signal(SIGPIPE, SIG_IGN);  // a reader of ours that goes away is an error of write(2)
    Fd fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!fd.valid()) throw SystemError("signalfd", errno);
    return fd;
  }();
  return descriptor.get();
}

// sched_setattr(2), in its first version; linux/sched/types.h cannot be included beside libc's headers.
struct SchedulingAttributes {
  std::uint32_t size = sizeof(SchedulingAttributes);
  std::uint32_t policy = SCHED_NORMAL;
  std::uint64_t flags = SCHED_FLAG_RESET_ON_FORK;  // the program is not to have it
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t slice = kSlice;
  std::uint64_t deadline = 0;
  std::uint64_t period = 0;
};

// A program that computes has its processor for a slice of milliseconds before we get it on a machine that is busy,
// unless ours is shorter (Linux 6.12, sched(7); older kernels take no notice). We need little, but soon.
void AskForShortSlices() {
  static pid_t asked = 0;  // for this process: a fork is without
  if (std::exchange(asked, ::getpid()) == ::getpid()) return;
  SchedulingAttributes attributes;
  attributes.nice = ::getpriority(PRIO_PROCESS, 0);
  // With another policy, or below 0, which a fork would reset, somebody has decided already.
  if (::sched_getscheduler(0) == SCHED_NORMAL && attributes.nice >= 0) ::syscall(SYS_sched_setattr, 0, &attributes, 0);
}

}  // namespace

WakeUps::WakeUps(const WatchPlan& plan) : signals_(SignalDescriptor()), plan_(plan) { AskForShortSlices(); }

void WakeUps::Wait(Nanoseconds longest) {
  fds_.clear();
  fds_.push_back({signals_, POLLIN, 0});
  plan_.ForEachPump([this](const OutputPump* pump) { pump->AddTo(&fds_); });
  longest = std::max(longest, Nanoseconds(0));
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(longest);
  const timespec timeout{seconds.count(), (longest - seconds).count()};
  if (::ppoll(fds_.data(), fds_.size(), &timeout, nullptr) < 0 && errno != EINTR) {
    throw SystemError("ppoll", errno);
  }
  // More than there can be: the same signal is pending once.
  std::array<signalfd_siginfo, 8> pending;
  const ssize_t size = ::read(signals_, pending.data(), sizeof pending);
  for (std::size_t i = 0; static_cast<ssize_t>((i + 1) * sizeof pending[0]) <= size; ++i) {
    const auto number = static_cast<int>(pending[i].ssi_signo);
    if (number != SIGCHLD && number != SIGIO && !TellsOfNothing(pending[i])) throw Interrupted{number};
  }
}

}  // namespace tally
