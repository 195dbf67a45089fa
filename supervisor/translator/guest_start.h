// The first moment of a program: after its execve, before its first instruction.
//
// The engine takes the program over here. It maps the code cache and the control area into it, takes PROT_EXEC away
// from all of the program's own mappings, and changes what the kernel told it on its stack: there is no vDSO (its
// functions would read the machine's clock), and the processor is the virtual one.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "supervisor/translator/code_cache.h"
#include "supervisor/translator/control_area.h"
#include "supervisor/translator/guest_code.h"
#include "supervisor/translator/translator.h"

namespace tally {

// Where the program finds the two memfds when it begins; both are closed again before its first instruction.
inline constexpr int kCacheDescriptor = 1022;
inline constexpr int kControlDescriptor = 1021;

// `tid` stands at the exit of its execve. Throws TaskIsGone, SystemError.
void TakeOver(pid_t tid, GuestCode* code, CodeCache* cache, const ControlArea& control, Translator* translator);

}  // namespace tally
