// Holds this process and all that it starts from now on to a number of processors, whole or not: by the bandwidth limit of
// a cgroup where we may make one (kernel: Documentation/admin-guide/cgroup-v2.rst, "cpu.max"; scheduler/sched-bwc.rst for
// version 1), else by affinity to that many processors, rounded up. Nothing is held where the machine has no more than
// the quota.
//
// A cgroup is called tally-cpu-PID, and the memory cgroups of runs are made in it where both are version 2's. What a
// killed process left is removed by who waits for it, or by the next one.
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

  // For who starts processes that have quotas, before it does: they have their cgroups beside its own (cgroup_parent.h).
  static void StepAside();
  // Removes the cgroups of processes that are no more: of one that was killed, by who waited for it.
  static void Sweep();

  // "cgroup v2", "cgroup v1", "affinity", or "none: ..." with the reason, for a log.
  [[nodiscard]] const std::string& how() const { return how_; }

 private:
  bool ByCgroup(double processors);
  bool ByAffinity(double processors, std::size_t instance);

  std::string cgroup_;  // ours; "": none
  std::string before_;  // where this process was, and goes back to
  std::string how_;
};

}  // namespace tally
