// The first moment of a code space: a program after its execve, before its first instruction; a child of fork before it
// runs, or a process that parts from its relatives (guest_unshare.cc).
//
// The engine takes it over here. It maps the code cache and the control area into it, takes PROT_EXEC away from all
// of the program's own mappings, and changes what the kernel told it on its stack: there is no vDSO (its functions
// would read the machine's clock), and the processor is the virtual one.
//
// The memory of both is a memfd that the program's process is made to create and that the supervisor takes a copy of
// (pidfd_getfd(2)); the program's descriptor is closed before it executes anything. No other task
// of the process runs meanwhile, so nobody in it sees the descriptor.
#pragma once

#include <sys/types.h>

#include <memory>

#include "supervisor/translator/cache/code_space.h"

namespace tally {

struct TranslatedRun;

// The program has all its descriptors in use.
struct NoDescriptorLeft {};

// `tid` stands at the exit of its execve. Its code space. Throws TaskIsGone, NoDescriptorLeft, SystemError.
std::shared_ptr<CodeSpace> TakeOverProgram(pid_t tid, const TranslatedRun& run);

// `tid` stands outside translations, in a process that has `parent`'s code mapped. A code space of its own in place of that.
std::shared_ptr<CodeSpace> TakeOverCopy(CodeSpace* parent, pid_t tid, const TranslatedRun& run);

}  // namespace tally
