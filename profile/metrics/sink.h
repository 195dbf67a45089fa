// `tally metrics-sink`: a small receiver of deliveries, so that metrics are of use with no other service. POST
// /v1/deliveries stores one, GET / shows a table.
#pragma once

#include <string>

#include "profile/metrics/sink_store.h"

namespace tally {

struct SinkOptions {
  std::string listen = "127.0.0.1:9465";
  std::string database = "tally-metrics.db";
};

// Until SIGINT or SIGTERM.
int RunSink(const SinkOptions& options);

// The table, for people.
std::string SummaryText(const StoreSummary& summary, const std::string& database);

}  // namespace tally
