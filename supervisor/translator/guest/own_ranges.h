// Which addresses in the program are ours, and which system calls it may therefore not make.
//
// Theory of operation. The code regions of the code cache lie where anybody can work it out, and the counters at a random
// place in a room of 16 TiB (control_area.h). Translated code cannot change either but by finding the counters; the
// kernel could, when a call names these addresses: unmap, replace, move, empty (MADV_REMOVE), or make writable. So such
// a call is a rule violation, made or not. The same goes for calls that would only tell where in the room the counters
// are (mincore says it at 10 GB/s, madvise and prctl(PR_SET_VMA) by what they return for half of the room and half of
// that); and for those that bring code into the program which nobody translates.
//
// The room is filled with memory that nobody may touch. So what the program maps without saying where never comes to
// lie in it, and the size of what still fits says nothing about the counters.
//
// A call that is given an address in the room for data fails with EFAULT, unless it is the counters'. That is a way to
// try one place per call; docs/isolation.md has the odds.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <span>
#include <string>

#include "supervisor/tracing/tracee.h"
#include "supervisor/translator/cache/code_cache.h"

namespace tally {

// Does it hold a byte of ours? A range that wraps around holds nothing; the kernel refuses it.
bool IsOurs(const CodeCache& cache, std::uint64_t begin, std::uint64_t size);

// Why the program may not make this call; "" where it may, as far as our ranges go.
std::string WhyRefused(const StoppedCall& call, const CodeCache& cache);

// Stops the calls that WhyRefused is to judge, beyond those that TranslatorCallFilter stops anyway.
std::span<const sock_filter> OwnRangesFilter();

}  // namespace tally
