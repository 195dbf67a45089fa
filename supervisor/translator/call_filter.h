// The system calls that concern the translation, as a filter beside the policy: those that change what is executable,
// the return from a signal handler, and those about gs.
#pragma once

#include <linux/filter.h>

#include <span>

namespace tally {

std::span<const sock_filter> TranslatorCallFilter();

}  // namespace tally
