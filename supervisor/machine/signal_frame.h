// Where the frame of a signal lies, and with it the handler's stack pointer.
//
// Theory of operation. The kernel writes from the top downwards: the registers of vectors as xsave leaves them, as many bytes as the real
// processor has state, and struct rt_sigframe, with which the handler begins (arch/x86/kernel/signal.c, get_sigframe):
//
//      the stack pointer less the red zone, or the end of the alternate stack
//        -  struct _fpstate, 64 bytes aligned         832 bytes with AVX, 2440 or 2696 with AVX-512, and a magic word
//        -  struct rt_sigframe, 8 behind 16           440 bytes
//
// So handlers of one program ran at other addresses on other machines, and a collector of garbage that goes through the stack met other
// words. All frames are made as large as the largest of these: both parts move down, and what is above them is zero. rt_sigreturn(2) goes by the stack
// pointer and the frame's own pointer to the state, wherever they are.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

namespace tally {

// The kernel has just entered a handler with these registers. They change if the frame does (true): it stays where it is if there is no
// room, or the processor has more state than is known here.
bool MoveFrame(pid_t tid, user_regs_struct* at_entry);

}  // namespace tally
