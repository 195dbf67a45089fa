// Instructions that save or restore the processor's state and that translated code executes itself, with code of ours around them
// (Flow::kMended). All others are looked at when they are executed (guest_single_step.cc).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "supervisor/x86/decode.h"

namespace tally {

// Is an xsave or xrstor behind these instructions one of vectors alone, because eax says so? Then its mask. The dynamic linker saves and
// restores them that way around each lazily bound call, with "mov eax, mask", "xor edx, edx" and stores in front. x87's state has pointers
// in it. A component that the virtual processor lacks is not to be written either: in a machine with AVX-512 that would be two KiB of zeros
// on a stack which a collector of garbage looks through.
std::optional<std::uint32_t> VectorMask(std::span<const Instruction> before, const Instruction& access);

// fxsave, by registers that it leaves as they are and a displacement: the same address can be written once more behind it. OpenJDK's
// run time saves its state by it some ten thousand times a second.
bool CanForgetPointersBehind(const Instruction& i);

}  // namespace tally
