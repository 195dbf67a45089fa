// The kernel's totals from arbitrary bytes: what is read of them makes sense.
#include "profile/metrics/proc_counters.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tally;

TALLY_FUZZ_TARGET(proc_counters) {
  for (const CoreTime& core : ParseCoreTimes(input))
    fuzz::Require(input.find(core.core == "mean" ? "cpu" : core.core) != std::string::npos);
  if (const auto memory = ParseAvailableMemory(input)) fuzz::Require(memory->count % 1024 == 0);
  for (const DiskTotals& disk : ParseDisks(input)) fuzz::Require(!disk.device.empty());
  for (const NetworkTotals& network : ParseNetworks(input)) fuzz::Require(!network.interface.empty());
}
