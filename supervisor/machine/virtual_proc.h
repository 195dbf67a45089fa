// Files of /proc as the virtual machine has them (docs/virtual-cpu.md): run times read how much memory, how many processors and
// which limits there are, and choose their threads and heaps by it. So what stands there is the same everywhere, or the result
// says what the program read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"

namespace tally {

// Below /proc; nothing: that path leads elsewhere. "meminfo", "self/cgroup"; a process's own files go by "self", whose ever they
// are.
std::optional<std::string> PlaceInProc(std::string_view path);

// What is in the file at `place`; nothing: what the kernel says.
std::optional<std::string> VirtualProcFile(std::string_view place, Nanoseconds since_start);

// How a result may name `path`, which the program chose: only what is plain, and short, is repeated.
std::string NameOfProcFile(const std::string& path);

// Is an entry of this name listed in /proc? The files that every machine has, and processes.
bool IsListedInProc(std::string_view name);
bool IsNumberOfProcess(std::string_view name);

// Does the program find the same there in every run, on every machine, if the rules hold? What of processes' own files is not, it opens.
bool IsSameEverywhere(std::string_view place, bool virtual_cpu, bool virtual_system);

}  // namespace tally
