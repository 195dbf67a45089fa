// The system calls that concern the translation, as a filter beside the policy: those that change what is executable, or could,
// the return from a signal handler, the actions for SIGTRAP and SIGSEGV, those about gs, and execve, in which a task waits for others.
#pragma once

#include <linux/filter.h>

#include <array>
#include <cstdint>
#include <span>

#include "supervisor/tracing/filter_words.h"

namespace tally {

// An mprotect without PROT_EXEC that carries `proof` in a register it does not use is ours, and does not stop: code that the program may
// write is guarded with it, a thousand times in a start. Of 64 bits, one for each run; the program never has it.
using TranslatorFilter = std::array<sock_filter, 31>;
TranslatorFilter TranslatorCallFilter(std::uint64_t proof);
inline constexpr unsigned kProofArgument = 5;
std::uint64_t MakeProof();
// Calls that name a file or an address, for an observer (call_observer.h).
std::span<const sock_filter> NamingCallFilter();
// Calls that may lead into /proc (guest_proc.cc).
std::span<const sock_filter> PathCallFilter();

}  // namespace tally
