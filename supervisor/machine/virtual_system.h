// What the virtual machine says it is, wherever a program may ask (system_calls.cc, virtual_proc.cc).
#pragma once

#include "base/units.h"

namespace tally {

inline constexpr Bytes kVirtualMemory = Bytes::MiB(8192);

}  // namespace tally
