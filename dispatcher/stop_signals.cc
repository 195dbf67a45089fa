#include "dispatcher/stop_signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"

namespace tally {

StopSignals::StopSignals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&set, signal);
  ::sigprocmask(SIG_BLOCK, &set, &before_);
  fd_ = Fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd_.valid()) throw SystemError("signalfd", errno);
}

StopSignals::~StopSignals() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

void StopSignals::Check() const {
  signalfd_siginfo signal{};
  if (::read(fd_.get(), &signal, sizeof signal) == sizeof signal) throw Interrupted{static_cast<int>(signal.ssi_signo)};
}

StopSignals::Pass::Pass(const StopSignals& signals) { ::sigprocmask(SIG_SETMASK, &signals.before_, &blocked_); }

StopSignals::Pass::~Pass() { ::sigprocmask(SIG_SETMASK, &blocked_, nullptr); }

}  // namespace tally
