#include "base/descriptor_signal.h"

#include <poll.h>
#include <signal.h>

namespace tally {

bool TellsOfDescriptor(const signalfd_siginfo& signal) { return signal.ssi_code >= POLL_IN && signal.ssi_code <= POLL_HUP; }

bool TellsOfNothing(const signalfd_siginfo& signal) {
  if (!TellsOfDescriptor(signal)) return false;
  pollfd there{signal.ssi_fd, POLLIN | POLLRDHUP, 0};
  return ::poll(&there, 1, 0) == 0 || (there.revents & POLLNVAL) != 0;
}

}  // namespace tally
