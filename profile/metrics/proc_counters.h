// The kernel's running totals as /proc tells them: pure readers of text. nullopt, or a list without entries, when the
// text is not what the kernel writes; a line that is not understood is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace tally {

// In clock ticks of 10 ms. What the hypervisor took for others (steal) is in the total and is not busy: this machine
// did not use it.
struct CoreTime {
  std::string core;  // "mean" for all together, "0" for the first
  std::uint64_t busy = 0;
  std::uint64_t total = 0;
};

struct DiskTotals {
  std::string device;
  std::uint64_t reads = 0, writes = 0;
  std::uint64_t read_bytes = 0, written_bytes = 0;
};

struct NetworkTotals {
  std::string interface;
  std::uint64_t received_bytes = 0, sent_bytes = 0;
};

std::vector<CoreTime> ParseCoreTimes(std::string_view stat);
std::optional<Bytes> ParseAvailableMemory(std::string_view meminfo);
std::vector<DiskTotals> ParseDisks(std::string_view diskstats);
std::vector<NetworkTotals> ParseNetworks(std::string_view net_dev);

}  // namespace tally
