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
// words. All frames are made as large as the largest of these: both parts move down, and what is above them is zero. So is what xsave does
// not write, where the stack's old words would be others, and where the virtual processor has no AVX-512 the state is said to be one of AVX.
// rt_sigreturn(2) goes by the stack pointer, the frame's own pointer to the state, and what that says of its size.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>

namespace tally {

enum class FrameMove : std::uint8_t {
  kMoved,
  kStays,   // the processor has more state than is known here, or there is not room for so much
  kNoRoom,  // behind other frames on the alternate stack; there the kernel kills with SIGSEGV
};
// The kernel has just entered a handler with these registers, which change if the frame does. `components`: VirtualCpu::StateComponents.
FrameMove MoveFrame(pid_t tid, std::uint64_t components, user_regs_struct* at_entry);

}  // namespace tally
