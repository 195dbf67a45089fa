// The system calls that concern the translation, as a filter beside the policy: those that change what is executable,
// the return from a signal handler, the action for SIGTRAP, and those about gs.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "supervisor/seccomp/trace_codes.h"

namespace tally {

// What filters of the engine are made of: the answer that stops the program for it, and the halves of an argument.
inline constexpr std::uint32_t kAsk = SECCOMP_RET_TRACE | static_cast<std::uint32_t>(TraceCode::kEngine);
constexpr std::uint32_t LowWordOf(unsigned argument) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * argument);
}
constexpr std::uint32_t HighWordOf(unsigned argument) { return LowWordOf(argument) + 4; }

std::span<const sock_filter> TranslatorCallFilter();
// Calls that name a file or an address, for an observer (call_observer.h).
std::span<const sock_filter> NamingCallFilter();
// Calls that may lead into /proc (guest_proc.cc).
std::span<const sock_filter> PathCallFilter();

}  // namespace tally
