// A worker of the server's: a process that runs commands and jobs, one at a time, for as long as the server lives.
#pragma once

#include <sys/types.h>

#include "serve/cmd_runner.h"

namespace tally::serve {

struct WorkerSettings {
  RunnerSettings runner;
  bool plain_paths = false, weak_isolation = false;  // of jobs
};

// Until the other end of `socket` is gone. `server` is whose end is ours.
void BeWorker(int socket, pid_t server, const WorkerSettings& settings);

}  // namespace tally::serve
