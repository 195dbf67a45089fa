// Looks at the machine: how busy its cores are, free memory, disks, networks. Most of it are differences of the
// kernel's totals over the time since the last look, so the first look only remembers.
//
// A disk counts if it is hardware, or the hypervisor's (it has a /sys/block/NAME/device): partitions, RAID and loops
// would count everything twice. The same rule holds for network interfaces; a machine with no such interface, as in a
// container, counts all but the loopback.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "profile/metrics/measurement.h"
#include "profile/metrics/proc_counters.h"

namespace tally {

class SystemSampler {
 public:
  // Where the kernel shows these: tests have folders of their own.
  explicit SystemSampler(std::string proc = "/proc", std::string sys = "/sys")
      : proc_(std::move(proc)), sys_(std::move(sys)) {}

  // `now` is of a clock that only goes forward. Appends to `sample`.
  void Take(Nanoseconds now, Sample* sample);

 private:
  // A total that grows: what it grew by, in units per second.
  void AddRate(const char* name, const char* unit, std::uint64_t total, Nanoseconds elapsed, Sample* sample);
  void TakeCores(Sample* sample);
  void TakeMemory(Sample* sample);
  void TakeDisks(Nanoseconds elapsed, Sample* sample);
  void TakeNetworks(Nanoseconds elapsed, Sample* sample);
  bool IsHardware(const std::string& folder, const std::string& name);

  std::string proc_, sys_;
  std::optional<Nanoseconds> last_look_;
  std::map<std::string, CoreTime> cores_;
  std::map<std::string, std::uint64_t> totals_;
  std::map<std::string, bool> hardware_;  // by path: asked once
};

}  // namespace tally
