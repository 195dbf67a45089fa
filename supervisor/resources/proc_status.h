// One figure of /proc/PID/status (proc(5)).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/units.h"

namespace tally {

// The file. nullopt: no such task. SystemError where it cannot be read of one that is there: that must not look alike.
std::optional<std::string> ReadProcStatus(pid_t tid);
// The last number of the line "FIELD: ...", so that NSpid gives the innermost id. nullopt: no such line or task.
std::optional<std::uint64_t> ProcStatusNumber(pid_t tid, std::string_view field);
// The same in a text like that file's.
std::optional<std::uint64_t> NumberInStatus(std::string_view status, std::string_view field);

// "R" of "State: R (running)": it computes or waits for a processor. False for a task that is gone, too.
bool IsRunnable(pid_t tid);
// "Z" or "X", or it is gone: it executes nothing any more.
bool HasEnded(pid_t tid);

// The lines that are sets of signals, of one moment. Signal N is bit N - 1.
struct SignalSets {
  std::uint64_t own = 0, of_process = 0;  // that wait
  std::uint64_t blocked = 0, ignored = 0, caught = 0;
};
std::optional<SignalSets> SignalSetsOf(pid_t tid);

// In a stop of ptrace(2) or of a signal, and not being killed.
bool IsStopped(pid_t tid);
// "S" of "State: S (sleeping)": it waits in a system call.
bool IsAsleep(pid_t tid);

// For the lines in kB: VmPeak, VmHWM, ...
std::optional<Bytes> ProcStatusBytes(pid_t tid, std::string_view field);

}  // namespace tally
