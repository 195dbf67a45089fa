// How far the stack's top is below a function's return address, behind an instruction, where the instruction says so itself.
#pragma once

#include <optional>

#include "supervisor/x86/decode.h"

namespace tally {

// `depth` bytes lie between the stack's top and the return address in front of `instruction`; the result is how many do behind it. Nothing where it
// moves the top elsewhere than compilers do (push, pop, sub, add, leave), pops or may write the return address through rsp, or
// returns from another depth than 0. What is written through other registers nobody knows.
std::optional<int> StackDepthBehind(const Instruction& instruction, int depth);

}  // namespace tally
