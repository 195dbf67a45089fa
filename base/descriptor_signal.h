// Signals that tell of a descriptor (fcntl(2), O_ASYNC and F_SETSIG), by which a process is told that its peer is gone.
//
// Who sends a message raises the signal behind it (unix(7): the message is queued, and then its reader woken), so it may come when the message
// has been read and O_ASYNC was set only then: with nothing to be told.
#pragma once

#include <sys/signalfd.h>

namespace tally {

// As signalfd(2) has it: of a descriptor, and of no process that sent it (sigaction(2), POLL_IN to POLL_HUP).
bool TellsOfDescriptor(const signalfd_siginfo& signal);

// The same, and there is nothing to read on it now, nor has its peer ended.
bool TellsOfNothing(const signalfd_siginfo& signal);

}  // namespace tally
