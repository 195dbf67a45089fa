// What a run's observer of system calls is told beyond the calls themselves: when tasks begin and end, and when somebody
// held them up.
#pragma once

#include <sys/types.h>

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "base/units.h"
#include "supervisor/api/call_observer.h"
#include "supervisor/resources/freezer.h"
#include "supervisor/resources/sched_times.h"

namespace tally {

class CallWatch {
 public:
  explicit CallWatch(CallObserver* observer) : observer_(observer) {}

  void Began(pid_t program);
  // `flags` of clone(2).
  void TaskBegan(pid_t task, pid_t parent, std::uint64_t flags);
  void TaskEnded(pid_t task, const ObservedCall* unfinished);

  void StopBegan(pid_t task);
  void StopEnded(pid_t task);  // if it was stopped
  // It has stopped for the engine, and goes on.
  void Stands(pid_t task);
  void GoesOn(pid_t task);
  // Is the program frozen? To be asked again after so long; nobody says it.
  Nanoseconds LookAtFreezer();

  void RunOver();

 private:
  struct Standing {
    Ticks since;
    Nanoseconds idle;  // before, since it went on
  };
  struct Going {
    Nanoseconds since;
    SchedTimes times;
  };
  [[nodiscard]] Nanoseconds IdleOf(pid_t task) const;

  CallObserver* observer_;
  Ticks first_ticks_ = 0;
  Nanoseconds first_time_{0};
  std::unordered_map<pid_t, Ticks> stopped_since_;
  std::unordered_map<pid_t, Standing> standing_;
  std::unordered_map<pid_t, Going> going_;
  std::unordered_set<pid_t> tasks_;
  std::optional<Freezer> freezer_;
  std::optional<Ticks> frozen_since_;
};

}  // namespace tally
