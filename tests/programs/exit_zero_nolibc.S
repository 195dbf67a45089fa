// Exactly 3 instructions, the last of which is the system call, and exactly 1 system call; no libc.
// execve itself is not the program's: counting starts at the first instruction after it. The kernel never
// returns from exit_group, so a stepper sees no trap after the third instruction and must still count it.
// Tally: OK; instructions = 3, num_syscalls = 1 with every exact counter.
        .globl _start
        .text
_start:
        movl    $231, %eax              // exit_group
        xorl    %edi, %edi
        syscall
        .section .note.GNU-stack, "", @progbits
