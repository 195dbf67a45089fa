// The first moment of an address space: a program after its execve, before its first instruction, or the child of a
// fork before it runs.
//
// The engine takes it over here. It maps the code cache and the control area into it, takes PROT_EXEC away from all
// of the program's own mappings, and changes what the kernel told it on its stack: there is no vDSO (its functions
// would read the machine's clock), and the processor is the virtual one.
//
// The memory of both is a memfd that the program's process is made to create and that the supervisor takes a copy of
// (pidfd_getfd(2)); the program's descriptor is closed before it executes anything. At this moment the process has
// one task, so nobody in it sees the descriptor.
#pragma once

#include <sys/types.h>

#include <memory>

#include "supervisor/translator/code_space.h"

namespace tally {

struct TranslatedRun;

// The program has all its descriptors in use.
struct NoDescriptorLeft {};

// `tid` stands at the exit of its execve. Its code space. Throws TaskIsGone, NoDescriptorLeft,
// SystemError.
std::shared_ptr<CodeSpace> TakeOverProgram(pid_t tid, const TranslatedRun& run);

// `tid`, a child of fork, has not run yet. Its own code space in place of `parent`'s, of which it has a copy.
std::shared_ptr<CodeSpace> TakeOverCopy(CodeSpace* parent, pid_t tid, const TranslatedRun& run);

}  // namespace tally
