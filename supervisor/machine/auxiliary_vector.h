// What the kernel tells a program about the machine, on its first stack (getauxval(3)), made the same everywhere.
//
// Theory of operation. Kernels differ in which entries they give and in what order, libraries read them in a loop, and
// the stack begins below them: all three change counts. So the vector is written anew, with the same entries in the
// same order, and what lies below it (argc, argv, envp) is moved to where it would be had the kernel done so. There is
// no vDSO among them: its functions would read the machine's clock, and they are code of the machine's.
#pragma once

#include <sys/types.h>

#include "supervisor/api/virtual_cpu_options.h"

namespace tally {

// `tid` has not executed an instruction of its program yet. False: it was killed meanwhile.
bool ChangeAuxiliaryVector(pid_t tid, const VirtualCpuOptions& options);

}  // namespace tally
