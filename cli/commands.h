// The subcommands of `tally`. Each adds itself to the parser and, when it was chosen, leaves what is to be done
// in `action`; main runs it and turns exceptions into exit statuses.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace tally {

using Action = std::function<int()>;

void AddRunCommand(CLI::App* app, Action* action);
void AddJobCommands(CLI::App* app, Action* action);  // exec, vcpu-exec, unsafe-exec, compile
void AddJudgeCommand(CLI::App* app, Action* action);
void AddProfileCommand(CLI::App* app, Action* action);
void AddDispatcherCommands(CLI::App* app, Action* action);
void AddMetricsSinkCommand(CLI::App* app, Action* action);
void AddCheckHostCommand(CLI::App* app, Action* action);
void AddTraceCommand(CLI::App* app, Action* action);
void AddVerifyCountsCommand(CLI::App* app, Action* action);

}  // namespace tally
