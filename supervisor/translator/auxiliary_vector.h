// What the kernel tells a program about the machine, on its first stack (getauxval(3)), made the same everywhere:
// no vDSO (its functions would read the machine's clock), the virtual CPU's abilities, fixed "random" bytes.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace tally {

// `stack`: the stack pointer of a program that has not executed an instruction yet.
void ChangeAuxiliaryVector(pid_t tid, std::uint64_t stack);

}  // namespace tally
