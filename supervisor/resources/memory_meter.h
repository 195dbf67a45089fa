// How the memory limit is enforced and the peak measured; the result names both.
//
//   cgroup          The kernel charges pages to the program's cgroup and its OOM killer enforces. A cgroup's own
//                   peak counts the page cache of every file read or written, so the figure reported is the peak
//                   resident set (VmHWM, what time(1) calls maximum resident set size); with several processes
//                   it is the cgroup's peak, because resident sets share pages.
//   address-space   VmPeak of the largest process and files in its tmpfs; RLIMIT_AS enforces the one, looking the other. The limit for the kernel is
//                   2 * kLargeAllocation above the user's: a refused small request then shows in the peak, a
//                   refused large one is seen when it is made (RefusesAllocation). So a program that dies of a
//                   refused allocation is always MLE, never RE.
//   resident        VmHWM of the largest process, or what all hold at one time where that is more (memory_in_use.h);
//                   enforced by looking, at the rate at which a program could touch the pages that are left
//                   (deadlines.h). For runtimes that reserve address space by the gigabyte.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "supervisor/api/run_request.h"
#include "supervisor/api/run_result.h"
#include "supervisor/resources/child_limits.h"
#include "supervisor/resources/engine_memory.h"

namespace tally {

class MemoryCgroups;

// What of the program's end tells the kernel's kills from others.
struct EndOfProgram {
  std::optional<int> signal;   // of its main process
  bool several_tasks = false;  // it was at some time more than one thread
};

struct MemoryFigures {
  Measured<Bytes> peak;
  bool out_of_memory_kill = false;  // the kernel's, in the program's cgroup
};

class MemoryMeter {
 public:
  virtual ~MemoryMeter() = default;

  // "resident, limited by cgroup-v1"
  [[nodiscard]] virtual std::string metric() const = 0;
  // What the engine has in the program's address space is not the program's. Told before the limits are made and
  // again before Finish.
  void SetEngineMemory(EngineMemory memory) { engine_ = memory; }
  // Limits that the child sets on itself, and the cgroup that it joins.
  virtual void PrepareChild(ChildLimits*, Isolation) const {}
  // The program waits before its execve, and has joined no cgroup. May throw SystemError.
  virtual void Attach(pid_t /*program*/) {}
  // The kernel loads the program, and we need not look before that is done: time for what can wait until now.
  virtual void OnGo() {}
  // A process is about to end (PTRACE_EVENT_EXIT) or to be ended: its peak can still be read. `status`: its file of that name.
  virtual void OnExitStop(pid_t process, std::string_view status) = 0;
  // Is the limit kept by looking?
  [[nodiscard]] virtual bool NeedsLooks() const { return false; }
  // A figure to compare with the limit while the program runs, or nullopt where the kernel enforces it. `processes`: all.
  virtual std::optional<Bytes> Sample(std::span<const pid_t> /*processes*/) { return std::nullopt; }
  // Has it to be told when the program makes shared memory (shared_objects.h), and of what size?
  [[nodiscard]] virtual bool CountsSharedMemory() const { return false; }
  virtual void NoteSharedMapping(Bytes /*size*/, std::span<const pid_t> /*processes*/) {}
  // Would the limit refuse the program a request of this size?
  [[nodiscard]] virtual bool RefusesAllocation(pid_t process, Bytes size) const = 0;
  // Final figures, after the last process ended.
  [[nodiscard]] virtual MemoryFigures Finish(const EndOfProgram& end) = 0;

 protected:
  static Bytes Without(Bytes all, Bytes engine) { return Bytes{all.count - std::min(all.count, engine.count)}; }
  EngineMemory engine_;
};

inline constexpr std::string_view kPeakResident = "VmHWM";

// The largest of one figure of /proc/PID/status over all processes, read as each one ends.
class PeakOfProcesses {
 public:
  explicit PeakOfProcesses(std::string_view field) : field_(field) {}
  void Read(pid_t process);
  void Read(pid_t process, std::string_view status);
  [[nodiscard]] const std::optional<Bytes>& peak() const { return peak_; }

 private:
  std::string_view field_;
  std::optional<Bytes> peak_;
};

// The meter `by` asks for; kAuto takes cgroup v2, cgroup v1, and where there is neither the address space of a
// single process or the resident sets of several. SystemError when a cgroup is asked for and there is none.
// Without a filter (`sees_requests` false) a refused request would be unseen, so kAuto takes resident there too.
std::unique_ptr<MemoryMeter> MakeMemoryMeter(MemoryBy by, const Limits& limits, bool sees_requests, std::vector<std::string> tmpfs, MemoryCgroups* cgroups);

}  // namespace tally
