// Which arguments of a system call the kernel takes as 32 bits.
//
// The upper half of such a register says nothing: arch_prctl(0x100002003) is arch_prctl(ARCH_MAP_VDSO_64). A comparison of all 64
// bits lets a program pass by with a one up there, and several did. So a stopped call is made in one place (MakeStoppedCall), where these
// halves are cleared, and nothing that reads its arguments can see them.
#pragma once

#include <cstdint>

#include "supervisor/tracing/tracee.h"

namespace tally {

// Of an x86-64 call: bit N is set where argument N is an int or an unsigned int (Linux 6.18, include/linux/syscalls.h;
// int_arguments_test.cc asks the kernel). All bits are clear for calls that nobody here looks into.
std::uint8_t IntArguments(std::uint64_t number);

StoppedCall MakeStoppedCall(std::uint32_t arch, std::uint64_t number, const std::uint64_t (&arguments)[6], std::uint16_t code);

}  // namespace tally
