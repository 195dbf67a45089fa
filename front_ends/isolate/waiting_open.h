// A named pipe is opened when somebody opens its other end, who may never come (fifo(7)).
#pragma once

#include <signal.h>

namespace tally::isolate {

// While this lives SIGTERM, SIGINT and SIGHUP end this process, as they do before its first run; a run has them blocked (wake_ups.cc).
class SignalsEndUs {
 public:
  SignalsEndUs() {
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&signals, signal);
    ::sigprocmask(SIG_UNBLOCK, &signals, &before_);
  }
  ~SignalsEndUs() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  SignalsEndUs(const SignalsEndUs&) = delete;
  SignalsEndUs& operator=(const SignalsEndUs&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace tally::isolate
