// The tasks of a run, each in one state, from the moment its tracer hears of it to the moment it is reaped; and the CPU
// time of all of them, those that are gone included.
//
// Theory of operation. Only a tracer can reap its tracee, so the id of a task in this table is its own: a signal sent by
// it never hits another process. A task comes in by its own first stop or by its parent's event (PTRACE_EVENT_CLONE and
// its like), whichever is seen first. A parent's event may be seen when the task has ended and its id is nobody's or
// another process's; so a task is taken in only while /proc says that it is a tracee of ours.
//
//   kNew      seen by its own first stop; its parent's event is still to come
//   kLive     it runs, or stands at a stop
//   kExiting  at its exit (PTRACE_EVENT_EXIT), or beyond
//   gone      reaped by us. A process is then a zombie until its parent has waited for it, and counts as long.
//
// execve(2) by a thread that is not the leader gives it the leader's id: the leader, which was exiting, is alive again, and
// the thread's former id is gone without an end of its own (ptrace(2), "execve(2) under ptrace").
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "supervisor/resources/cpu_clock.h"

namespace tally {

class Tasks {
 public:
  // The program's first task, which waits for its execve.
  void Begin(pid_t program);
  // True for a task of which nothing was known, or nothing but its own first stop. `parent` is -1 at that stop.
  bool AddNew(pid_t tid, pid_t parent);
  void NoteExiting(pid_t tid);
  // It has executed another program, and had the id `former` before. True: that was another one, and known.
  bool NoteExec(pid_t tid, pid_t former);
  // It has ended and is about to be reaped: its process's clocks are read for the last time. False: it was not known.
  bool Remove(pid_t tid);

  // SIGKILL to every process of the run, and to those that come to light later.
  void KillAll();
  [[nodiscard]] bool is_killing() const { return is_killing_; }
  // SIGKILL to the process of a task, known or not.
  void Kill(pid_t tid);
  // Where no process namespace ends with the run: tracees of ours that no event has told of, because their parents were
  // killed before they could. They are killed; true: there are some, whose ends are still to come.
  bool KillStragglers();

  // The process's CPU time up to now was spent on set-up and does not count.
  void BeginCounting(pid_t process);
  [[nodiscard]] CpuTime Cpu() const;

  [[nodiscard]] bool empty() const { return tasks_.empty(); }
  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  [[nodiscard]] std::vector<pid_t> All() const;
  // Are there more than `limit` at one time? A thread counts until its exit, for its joiner may have made the next one
  // before we see its end; a process until its parent has waited for it, and if that is not the program's until its exit, too.
  [[nodiscard]] bool AreMoreThan(std::size_t limit);
  [[nodiscard]] std::vector<pid_t> Processes() const;
  [[nodiscard]] bool IsProcess(pid_t tid) const { return processes_.contains(tid); }
  [[nodiscard]] bool HasSeveralProcesses() const { return processes_.size() > 1; }

 private:
  enum class State { kNew, kLive, kExiting };
  struct Task {
    pid_t process;
    State state;
  };
  struct Process {
    CpuClocks baseline;
    int tasks = 0;
  };
  void Add(pid_t tid, pid_t process, State state);
  void Drop(pid_t tid);
  [[nodiscard]] static bool IsAtItsEnd(pid_t tid, const Task& task);
  // Has it a task that is not at its end?
  [[nodiscard]] bool IsAlive(pid_t process) const;
  [[nodiscard]] bool HasParentHere(pid_t process) const;
  [[nodiscard]] bool IsZombie(pid_t process) const;

  std::unordered_map<pid_t, Task> tasks_;
  std::unordered_map<pid_t, Process> processes_;
  std::unordered_set<pid_t> zombies_;  // or waited for meanwhile
  std::size_t exiting_threads_ = 0;
  std::vector<CpuClocks> finished_cpu_;
  bool is_killing_ = false;
};

}  // namespace tally
