// Files by which a sandbox shows the virtual machine: /dev/urandom of bytes that the seed decides, and /proc/cpuinfo,
// where a sandbox has /proc, of the virtual processor.
#pragma once

#include <string>

#include "supervisor/api/root_spec.h"
#include "supervisor/api/run_request.h"

namespace tally {

// Puts into `root` what a program counted so is to find, as far as the rules hold.
void ShowVirtualFiles(Counter counter, const VirtualCpuOptions& options, RootSpec* root);

// /proc/cpuinfo, as the kernel writes it (arch/x86/kernel/cpu/proc.c).
std::string ProcessorFile(CpuModel model);

}  // namespace tally
