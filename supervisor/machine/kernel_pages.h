// The pages that the kernel maps into each program: [vvar] and, behind it, [vdso] (vdso(7)).
//
// Kernels differ in how many they are (6 pages, 8), and all that a program maps later lies below them: so the addresses of
// its libraries differed between machines, and now and then a count with them (a search in a table of addresses takes
// another turn). No program finds them, for its auxiliary vector names no vDSO (auxiliary_vector.h), and the kernel itself
// needs them for 32-bit programs alone. So they are unmapped before the first instruction, and what comes takes their place.
#pragma once

#include <linux/filter.h>
#include <sys/types.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/process_maps.h"

namespace tally {

struct KernelPages {
  std::uint64_t begin, end;
};

bool IsKernels(const MapsLine& mapping);  // one of those
// Those that touch each other as one: on the kernels that we know it is one.
std::vector<KernelPages> FindKernelPages(const std::vector<MapsLine>& maps);

// From the exec stop of a task to in front of its first instruction: the kernel writes execve's result into its registers
// only behind that stop. False: a 32-bit program, at its beginning too. Throws TaskIsGone.
bool GoToFirstInstruction(pid_t tid);

// Of a task that stands there.
void UnmapKernelPages(pid_t tid);

// No program has them mapped again (arch_prctl(ARCH_MAP_VDSO_64), whose vDSO tells the real time): EINVAL, as on a kernel that cannot.
std::span<const sock_filter> KernelPagesFilter();

}  // namespace tally
