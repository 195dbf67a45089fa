// Instructions that are there for their flags alone.
#pragma once

#include "supervisor/x86/decode.h"

namespace tally {

// Does it make status flags and nothing else (cmp, test, bt, comis, cmc, clc, stc, sahf)? Compilers leave such an instruction out where nobody
// reads the flags. Some that do so are not known; none that is known does anything else.
bool OnlyMakesFlags(const Instruction& instruction);

}  // namespace tally
