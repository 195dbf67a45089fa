// Holds this process and all that it starts from now on to a number of processors, whole or not: by the bandwidth limit of
// a cgroup v1 (kernel: Documentation/scheduler/sched-bwc.rst) where we may make one, else by affinity to that many
// processors, rounded up. Nothing is held where the machine has no more than the quota.
//
// A cgroup is called tally-cpu-PID; what a killed process left is removed by who waits for it, or by the next one.
#pragma once

#include <cstddef>
#include <string>

namespace tally {

class CpuQuota {
 public:
  // `instance`: of several that share the machine, which one this is; by affinity each has processors of its own, as far
  // as they go.
  explicit CpuQuota(double processors, std::size_t instance = 0);
  ~CpuQuota();
  CpuQuota(const CpuQuota&) = delete;
  CpuQuota& operator=(const CpuQuota&) = delete;

  // Removes the cgroups of processes that are no more: of one that was killed, by who waited for it.
  static void Sweep();

  // "cgroup v1", "affinity", or "none: ..." with the reason, for a log.
  [[nodiscard]] const std::string& how() const { return how_; }

 private:
  bool ByCgroup(double processors);
  bool ByAffinity(double processors, std::size_t instance);

  std::string cgroup_, parent_, how_;
};

}  // namespace tally
