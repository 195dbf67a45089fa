// What an engine keeps in the program's address space, and how much of it the program has resident.
#pragma once

#include "base/units.h"

namespace tally {

struct EngineMemory {
  Bytes address_space;
  Bytes resident;
};

}  // namespace tally
