// `tally metrics-sink`: `tally-metrics sink`.
#include "cli/become.h"

namespace tally {

void AddMetricsSinkCommand(CommandLine* line) {
  AddCommandOfAnother(line, "metrics-sink", "Receive metrics into an SQLite file, and show them", "tally-metrics",
                      {"sink"});
}

}  // namespace tally
