// Deliveries to the sink from arbitrary bytes: each is stored whole, or refused in one line with nothing of it left.
#include "profile/metrics/sink_store.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tally;

TALLY_FUZZ_TARGET(delivery) {
  SinkStore store(":memory:", SinkStore::Access::kWrite);
  bool stored = false;
  fuzz::MayRefuse([&] { stored = store.Add(input); });
  const StoreSummary summary = store.Summary();
  fuzz::Require(summary.deliveries == (stored ? 1 : 0));
  fuzz::Require(stored || (summary.series.empty() && summary.timings.empty()));
}
