// The translated engine: the program runs in translation (translator.h), which counts.
//
// Theory of operation. After its execve the program is taken over (guest_start.h) and from then on executes nothing
// but the code cache. It stops
//   - at a trap of ours, when it gets to something not translated yet, or that the virtual CPU answers;
//   - at system calls that concern code (mmap and mprotect with PROT_EXEC) and at rt_sigreturn, by a filter of ours;
//   - at a signal.
// Everything else is native: system calls, memory, faults.
//
// Tasks. Each thread or process is a Guest (guest.h) in an CodeSpace (code_space.h). A new one is begun when its
// parent's event says by which call it was made; one that is seen before that event waits for it.
//
// Signals. A signal is delivered where the program's registers are its own: at the beginning of a guest instruction.
// For a fault of a copied instruction that is so already; an asynchronous one is stepped to such a place. Then the
// registers get the guest's instruction pointer, the counters get what is pending, and the kernel builds its frame
// and enters the handler, whose address is the guest's too: one step with the signal stops there, and the engine
// sends the program on into the handler's translation. rt_sigreturn restores a guest context, which is translated
// the same way. So handlers, unwinders and debuggers inside the program see guest addresses only.
#pragma once

#include <memory>

#include "supervisor/engines/engine.h"

namespace tally {

std::unique_ptr<Engine> MakeTranslatedEngine(const RunRequest& request);

}  // namespace tally
