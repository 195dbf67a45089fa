// The subcommands of `tally-dispatcher`, which `tally` becomes for them (cli/). Each adds itself to the parser and, when
// it was chosen, leaves what is to be done in `action`; main runs it and turns exceptions into exit statuses.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace tally {

using Action = std::function<int()>;

void AddEvaluateCommand(CLI::App* app, Action* action);
void AddSubmitCommand(CLI::App* app, Action* action);
void AddWorkerCommand(CLI::App* app, Action* action);
// One process that answers requests, started by a worker.
void AddInstanceCommand(CLI::App* app, Action* action);

}  // namespace tally
