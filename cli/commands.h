// The subcommands of `tally`. Each adds itself to the parser and, when it was chosen, leaves what is to be done
// in `action`; main runs it and turns exceptions into exit statuses.
#pragma once

#include <string>

#include "base/command_line.h"

namespace tally {

void AddRunCommand(CommandLine* line);
void AddJobCommands(CommandLine* line);  // exec, vcpu-exec, unsafe-exec, compile
void AddJudgeCommand(CommandLine* line);
void AddVerifyCommand(CommandLine* line);
void AddProfileCommand(CommandLine* line);
void AddEvaluateCommand(CommandLine* line);
void AddDispatcherCommands(CommandLine* line);
void AddServeCommand(CommandLine* line);
void AddMetricsSinkCommand(CommandLine* line);
void AddCheckHostCommand(CommandLine* line);
void AddTraceCommand(CommandLine* line);
void AddVerifyCountsCommand(CommandLine* line);
void AddHelpCommand(CommandLine* line);

// `tally --names compilers|sandboxes|stacks`: the names of descriptions, one to a line, for the completion of shells, which asks at
// every key. Nothing of them is read.
int PrintNames(const std::string& kind);

}  // namespace tally
