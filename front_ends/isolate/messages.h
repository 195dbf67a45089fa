// What a command and its box's keeper say to each other: lists of words, each with a NUL behind it. One side of it runs before libc does
// (client.cc), so nothing here allocates or calls.
//
//   caller: "do", how many words main had, those words, the environment; with them travel its three streams
//   keeper: "not here"; or "begins", where the meta file is, what the caller's process must be like (CallerState, in numbers), and then
//           each folder that a run would show as path, device and inode; or what follows "go"
//   caller: "go", where it finds the same on its side; from then on the keeper must not be gone
//   keeper: "done", the exit status, what is to be said on stdout and on stderr, what is to be in the meta file
//
//   any other caller: "end"
#pragma once

#include <sys/resource.h>
#include <sys/syscall.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/raw_call.h"

namespace tally::isolate {

inline constexpr std::size_t kLongestMessage = 160 << 10;  // a socket's buffer has room for it (net.core.wmem_default)

inline constexpr const char* kDo = "do";
inline constexpr const char* kEnd = "end";
inline constexpr const char* kNotHere = "not here";
inline constexpr const char* kBegins = "begins";
inline constexpr const char* kGo = "go";
inline constexpr const char* kDone = "done";

// What a run has of its caller's process: the umask, the priority (as the kernel says it, 20 - nice), the scheduling policy, the personality
// (setarch(8)), the hard limits, and the processors, a bit each.
inline constexpr std::size_t kFirstLimit = 4, kFirstProcessors = kFirstLimit + RLIM_NLIMITS;
using CallerState = std::array<std::uint64_t, kFirstProcessors + 1024 / 64>;

inline void ReadCallerState(CallerState* state) {
  for (std::uint64_t& number : *state) number = 0;
  (*state)[0] = static_cast<std::uint64_t>(RawCall(SYS_umask, 022));
  RawCall(SYS_umask, (*state)[0]);
  (*state)[1] = static_cast<std::uint64_t>(RawCall(SYS_getpriority, PRIO_PROCESS, 0));
  constexpr std::uint64_t kAsk = 0xffffffff, kResetOnFork = 0x40000000;  // the latter a keeper has for itself alone (wake_ups.cc)
  (*state)[2] = static_cast<std::uint64_t>(RawCall(SYS_sched_getscheduler, 0)) & ~kResetOnFork;
  (*state)[3] = static_cast<std::uint64_t>(RawCall(SYS_personality, kAsk));
  for (std::uint64_t resource = 0; resource < RLIM_NLIMITS; ++resource) {
    rlimit limit;
    RawCall(SYS_prlimit64, 0, resource, 0, Address(&limit));
    (*state)[kFirstLimit + resource] = limit.rlim_max;
  }
  RawCall(SYS_sched_getaffinity, 0, 1024 / 8, Address(&(*state)[kFirstProcessors]));
}

}  // namespace tally::isolate
