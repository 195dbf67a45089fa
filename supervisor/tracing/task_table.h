// The tasks of a run and the processes they belong to, from the moment Watch hears of each to the moment it is reaped;
// and the CPU time of all of them, those that are gone included.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "supervisor/resources/cpu_clock.h"

namespace tally {

class TaskTable {
 public:
  // `announced`: its parent's event was seen; its own first stop may come before. Nothing happens to one that is known.
  void Add(pid_t tid, pid_t process, bool announced);
  // True for a task of which nothing was known, or nothing but its own first stop. `parent` is -1 at that stop.
  bool AddNew(pid_t tid, pid_t parent);
  // A parent's event for one that came, ran and went before it was handled: it needs nothing more.
  bool EndedUnannounced(pid_t tid) { return ended_unannounced_.erase(tid) != 0; }

  void NoteExiting(pid_t tid);
  // It has ended and is about to be reaped: its process's clocks are read for the last time. False: it was not known.
  bool Remove(pid_t tid);
  // It is gone without an end of its own (OnLaterExec in watch.cc).
  bool Forget(pid_t tid);

  // The process's CPU time up to now was spent on set-up and does not count.
  void BeginCounting(pid_t process);
  [[nodiscard]] CpuTime Cpu() const;

  [[nodiscard]] bool empty() const { return tasks_.empty(); }
  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  [[nodiscard]] std::vector<pid_t> All() const;
  // One that is at its end counts no more: its parent may have joined it already and made the next.
  [[nodiscard]] std::size_t living() const { return tasks_.size() - exiting_; }
  [[nodiscard]] std::vector<pid_t> Processes() const;
  [[nodiscard]] bool HasSeveralProcesses() const { return processes_.size() > 1; }

 private:
  struct Task {
    pid_t process;
    bool announced;
    bool exiting = false;
  };
  struct Process {
    CpuClocks baseline;
    int tasks = 0;
  };

  std::unordered_map<pid_t, Task> tasks_;
  std::unordered_map<pid_t, Process> processes_;
  std::size_t exiting_ = 0;  // of the tasks
  std::unordered_set<pid_t> ended_unannounced_;
  std::vector<CpuClocks> finished_cpu_;
};

}  // namespace tally
