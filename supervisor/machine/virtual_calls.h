// System calls that tell the machine's time or state, or give random numbers, answered for a counted program as
// docs/virtual-cpu.md says.
//
// Theory of operation. A filter stops the program at these calls (call_stops.h). The supervisor writes the answer into
// the program's memory, makes the call's number -1, which the kernel takes for "not this one", and the result goes into
// rax; rcx and r11 have by then what any call leaves in them. So the call is never executed.
//
//   time_calls.h    what time is it?
//   sleep_calls.h   sleeps, which take none
//   system_calls.h  what machine is it?
//
// Large mappings are the kernel's to make, but not to place (large_mappings.h). What it says of files is changed (virtual_status.h).
#pragma once

#include <linux/filter.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "supervisor/api/run_request.h"
#include "supervisor/machine/large_mappings.h"
#include "supervisor/machine/seeded_random.h"
#include "supervisor/machine/sleep_calls.h"
#include "supervisor/machine/sorted_folders.h"
#include "supervisor/machine/virtual_clock.h"
#include "supervisor/machine/virtual_status.h"
#include "supervisor/tracing/tracee.h"

namespace tally {

class VirtualCalls {
 public:
  // `stops_at_status`: nobody else changes what is told of files (virtual_status.h).
  VirtualCalls(const VirtualCpuOptions& options, const Limits& limits, VirtualClock* clock, bool stops_at_status);

  [[nodiscard]] std::span<const sock_filter> filter() const { return filter_; }
  // Those in the run's box are to be placed before it begins.
  [[nodiscard]] FilesOfRun& files() { return files_; }
  [[nodiscard]] const FilesOfRun& files() const { return files_; }

  enum class Outcome : std::uint8_t {
    kNotOurs,   // the kernel's; the program may go on into it
    kAnswered,  // the program may go on behind it
    kPlaced,    // the kernel's, with other arguments: Make, or its like, before the program goes on
    kChanged,   // the kernel's, with another answer: Make
    kTooLong,   // a sleep past a limit: the program is not to go on
  };
  // `count`: instructions, this one included. `alone`: the program is one thread; else it sleeps in truth, because
  // the others go on meanwhile.
  Outcome Answer(pid_t tid, const StoppedCall& call, std::uint64_t count, bool alone);
  // Has the kernel make the call in which the task is stopped, with such arguments or for such an answer. False: the task is at its end.
  bool Make(pid_t tid, const StoppedCall& call, Outcome outcome);

  // All tasks sleep so long (sleep_calls.h). False: past a limit, and none is to go on.
  bool Sleep(Nanoseconds duration) {
    sleep_.Sleep(duration);
    return !sleep_.too_long();
  }
  [[nodiscard]] bool slept_too_long() const { return sleep_.too_long(); }

  // Did the program ask for a signal or an event at a certain time? That comes in real time.
  [[nodiscard]] bool used_timers() const { return used_timers_; }
  // Did it read a folder? The order of its entries is the file system's.
  [[nodiscard]] bool listed_folder() const { return listed_folder_; }
  // Did it wait for children and ask what they had used (wait4, waitid)? The kernel answers that, in real time.
  [[nodiscard]] bool asked_of_children() const { return asked_of_children_; }
  // Did it have a large mapping populated? Its place is the kernel's (large_mappings.h).
  [[nodiscard]] bool populated() const { return populated_; }

 private:
  // The result, negative errno; nothing: the kernel's.
  std::optional<std::int64_t> ResultOf(pid_t tid, const StoppedCall& call, std::uint64_t count, bool alone);
  std::int64_t FillRandom(pid_t tid, const StoppedCall& call);

  VirtualRules rules_;
  std::uint64_t components_;
  VirtualClock* clock_;
  SleepCalls sleep_;
  SeededRandom random_;
  LargeMappings mappings_;
  SortedFolders folders_;
  bool stops_at_status_;
  FilesOfRun files_;
  std::vector<sock_filter> filter_;
  bool used_timers_ = false, listed_folder_ = false, populated_ = false, asked_of_children_ = false;
};

}  // namespace tally
