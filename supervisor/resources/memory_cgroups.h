// Memory by cgroup: v2 where a delegated cgroup gives us the memory controller, v1 where root may make one
// (cgroup_parent.h).
// Sources: Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst of the kernel.
//
// One cgroup serves run after run, so that a batch makes and removes none until something is killed or left in it. Of a single process its
// own peak is read; of several the cgroup's, which begins anew with each run (version 1, or Linux 6.12: commit c6f53ed8f213), or else in a
// cgroup of the run's own. Named tally-PID-N under our own.
// Names carry our pid, so that what a killed supervisor left is found and removed by the next one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "supervisor/api/run_request.h"
#include "supervisor/resources/cgroup_parent.h"
#include "supervisor/resources/memory_meter.h"

namespace tally {

class MemoryCgroup;

// Those of one executor. Meters end before it.
class MemoryCgroups {
 public:
  MemoryCgroups();
  ~MemoryCgroups();
  MemoryCgroups(const MemoryCgroups&) = delete;
  MemoryCgroups& operator=(const MemoryCgroups&) = delete;

  // Finds, once, where cgroups are made. A process that starts others before its first run calls this before them.
  void Find();
  // nullptr where the host gives us no memory cgroup; `why` then says so.
  std::unique_ptr<MemoryMeter> MakeMeter(const Limits& limits, std::string* why);
  // The one that runs share, and what is left of others. For a caller that has ended all runs.
  void Remove();
  // To find their place anew: for a caller that has moved this process to another cgroup.
  void Forget();

 private:
  friend class CgroupMeter;
  friend class MemoryCgroup;

  std::unique_ptr<MemoryCgroup> Take(bool single);
  std::unique_ptr<MemoryCgroup> Make();
  void Sweep();
  void RemoveEnded();

  struct Place {
    std::optional<CgroupParent> parent;
    std::string why;  // there is none
    bool is_swept = false;
  };
  std::optional<Place> place_;
  int next_ = 0;
  // Those that could not be removed at their owner's end: a program that we have seen dead is in its cgroup until its init
  // has, too.
  std::vector<std::string> ended_;
  // Each run takes it, and puts it back if nothing was killed in it. So a kill there is the run's
  // own; and where a program filled its limit with page tables, the kernel gives those back after its end only (6.18,
  // CONFIG_PT_RECLAIM: after a grace period), when they would be the next one's.
  std::unique_ptr<MemoryCgroup> kept_;
};

}  // namespace tally
