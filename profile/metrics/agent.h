// `tally-metrics agent`: looks at the machine while a batch is judged, and sends what it saw.
//
// Theory of operation. One process, one loop, one poll: over the socket from judging, the sends (libcurl's multi
// interface) and the Prometheus page. Judging's end of the socket closes when judging ends, and the agent then leaves
// at once by _exit: what is gathered but not yet sent is dropped, a send that is on its way is cut off, and no
// destructor of a library can hold it up. If judging is killed, the kernel kills the agent (PR_SET_PDEATHSIG). Nothing
// outlives it: it makes no file, and its lock is a name that goes with it.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "base/fd.h"
#include "profile/metrics/config.h"

namespace tally {

struct AgentArguments {
  std::string config_path;
  int socket = -1;    // records come here
  int dropped = -1;   // memory with the number of records that did not fit into it
  pid_t parent = -1;  // who judges
};

// Does not return but by a UserError or a SystemError at its start.
[[noreturn]] void RunAgent(const AgentArguments& arguments);

}  // namespace tally
