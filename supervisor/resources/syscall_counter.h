// Counts system calls exactly: those the kernel executed for the program, from the first after execve to its
// last. A call that the policy answers in the kernel's stead (ENOSYS, EPERM) is not one.
//
//   tracepoint  perf event on raw_syscalls:sys_enter: counts in the kernel, no stops. Needs CAP_PERFMON.
//               A machine's first such event takes 0.3 to 30 ms to open and 20 to 40 ms to close (measured,
//               kernel 6.18), so it is for batches: Executor::PrepareForManyRuns.
//   trace       a seccomp stop per call (4 to 10 us each, with several tasks in a virtual machine 60); counted by Watch,
//               for a single run and for everybody who may not use tracepoints. What the stops cost is measured, and no
//               limit counts it: tracing/stop_cost.h.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "base/fd.h"
#include "supervisor/api/run_result.h"

namespace tally {

class TracepointCounter {
 public:
  // Opens the machine's tracepoint for the life of this process, once. nullopt: this host lets us count by
  // tracepoint; else why not.
  // `private_directory`: one in a mount namespace of our own, where tracefs is mounted if nobody has done so.
  using Directory = const std::string& (*)();
  static const std::optional<std::string>& Prepare(Directory private_directory);

  // Attaches to a process that is about to execve; its threads and children are counted too.
  explicit TracepointCounter(pid_t process);
  [[nodiscard]] Measured<std::uint64_t> Read() const;

 private:
  Fd event_;
};

}  // namespace tally
