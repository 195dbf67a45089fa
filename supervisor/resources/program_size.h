// What a program takes before its first instruction, by its own word.
#pragma once

#include <sys/types.h>

#include <optional>

#include "base/units.h"

namespace tally {

// Memory of the loadable segments of the ELF file that a process executes (elf(5), p_memsz of PT_LOAD); at
// most 2^63 - 1. nullopt: the file cannot be read any more, or is none.
std::optional<Bytes> SizeOfSegments(pid_t process);

}  // namespace tally
