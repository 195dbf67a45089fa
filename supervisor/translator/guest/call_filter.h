// The system calls that concern the translation, as a filter beside the policy: those that change what is executable, or could,
// the return from a signal handler, the actions for SIGTRAP and SIGSEGV, those about gs, and execve, in which a task waits for others.
#pragma once

#include <linux/filter.h>

#include <span>

#include "supervisor/tracing/filter_words.h"

namespace tally {

std::span<const sock_filter> TranslatorCallFilter();
// Calls that name a file or an address, for an observer (call_observer.h).
std::span<const sock_filter> NamingCallFilter();
// Calls that may lead into /proc (guest_proc.cc).
std::span<const sock_filter> PathCallFilter();

}  // namespace tally
