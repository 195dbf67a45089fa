// `tally metrics-sink`: `tally-metrics sink`.
#include "cli/become.h"

namespace tally {

void AddMetricsSinkCommand(CLI::App* app, Action* action) {
  AddCommandOfAnother(app, action, "metrics-sink", "Receive metrics into an SQLite file, and show them", "tally-metrics",
                      {"sink"});
}

}  // namespace tally
