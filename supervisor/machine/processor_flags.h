// What a processor can do, by the names that /proc/cpuinfo has for it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "supervisor/machine/virtual_cpu.h"

namespace tally {

std::vector<std::string_view> FlagsOf(const VirtualCpu& cpu);

// The instructions that `offered` has and `here` does not: "avx2 fma"; "" where all are executed. Programs choose code by
// what is offered, so they would die of it.
std::string NotExecuted(const VirtualCpu& offered, const VirtualCpu& here);
// By this machine's processor; asked once.
const std::string& NotExecutedHere(CpuModel model);
// SystemError where a program would be offered such.
void RequireProcessorFor(const VirtualCpuOptions& options);

}  // namespace tally
