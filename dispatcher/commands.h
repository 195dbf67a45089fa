// The subcommands of `tally-dispatcher`, which `tally` becomes for them (cli/). Each adds itself to the parser and, when
// it was chosen, leaves what is to be done in `action`; main runs it and turns exceptions into exit statuses.
#pragma once

#include "base/command_line.h"

namespace tally {

void AddSubmitCommand(CommandLine* line);
void AddWorkerCommand(CommandLine* line);
// The same for a sioworkersd.
void AddSioWorkerCommand(CommandLine* line);
// One process that answers requests, started by a worker.
void AddInstanceCommand(CommandLine* line);

}  // namespace tally
