// What a signal says of the program's limits, asked while the task stops for it.
#pragma once

#include <sys/types.h>

#include <optional>

#include "base/units.h"

namespace tally {

// The kernel's SIGXFSZ: a file would have grown past its limit. One by raise(3) is none.
bool IsFileSizeSignal(pid_t tid, int signal);

// A SIGSEGV that hit the page below a stack that has reached its limit.
bool IsStackOverflow(pid_t tid, int signal, const std::optional<Bytes>& limit);

}  // namespace tally
