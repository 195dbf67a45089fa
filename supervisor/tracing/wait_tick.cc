#include "supervisor/tracing/wait_tick.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/error.h"

namespace tally {
namespace {

// No program of ours or library that we use has this one.
int TickSignal() { return SIGRTMIN + 7; }

// The signal has nothing to do but to come; a wait it ends is not to be taken up again (no SA_RESTART).
void LetTicksCome() {
  static const bool done = [] {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    return ::sigaction(TickSignal(), &action, nullptr) == 0;
  }();
  if (!done) throw SystemError("sigaction", errno);
  sigset_t ticks;
  ::sigemptyset(&ticks);
  ::sigaddset(&ticks, TickSignal());
  ::pthread_sigmask(SIG_UNBLOCK, &ticks, nullptr);
}

}  // namespace

WaitTick::WaitTick(Nanoseconds every) {
  LetTicksCome();
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = TickSignal();
  event._sigev_un._tid = ::gettid();
  is_ticking_ = ::timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0;
  if (!is_ticking_ && errno != EAGAIN) throw SystemError("timer_create", errno);
  if (!is_ticking_) return;
  const timespec each{0, every.count()};
  const itimerspec time{each, each};
  ::timer_settime(timer_, 0, &time, nullptr);
}

WaitTick::~WaitTick() {
  if (is_ticking_) ::timer_delete(timer_);
}

}  // namespace tally
