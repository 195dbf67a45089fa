// `tally metrics-sink`: `tally-metrics` with the same words.
#include "cli/exec_helper.h"

namespace tally {

void AddMetricsSinkCommand(CommandLine* line) {
  AddCommandOfAnother(line, "metrics-sink", "Receive metrics into an SQLite file, and show them", "tally-metrics",
                      {"metrics-sink"});
}

}  // namespace tally
