// /proc/PID/maps (proc_pid_maps(5)) of the virtual machine. glibc looks for a thread's stack there, and collectors of garbage for memory to
// search, line by line; so what kernels and file systems do otherwise is not in it:
//   - files have the numbers 1, 2, ... on device 00:01, by their addresses;
//   - mappings beside each other that look alike are one line: which the kernel merges depends on what was in them (mm/vma.c);
//   - memory has no name but [heap] and [stack]: older kernels call [heap] what ends where that begins, too (fs/proc/task_mmu.c in 6.1), names by
//     prctl(2) are an option of the kernel's, and so is whether there is a [vsyscall].
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/process_maps.h"

namespace tally {

// As the kernel writes it.
std::string MapsText(const std::vector<MapsLine>& lines);
// `heap`: where that begins (HeapBegin).
std::string VirtualMapsText(const std::vector<MapsLine>& lines, std::uint64_t heap);

}  // namespace tally
