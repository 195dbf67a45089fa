// Ten "rep stosb" of 4096 bytes each, then END: exactly 69 instructions, 2 system calls.
// A rep-prefixed string instruction is one however often it repeats, but the trap flag fires after every
// repetition, and a page fault within it restarts it. A counter of traps says 41019.
// Tally: OK; instructions = 69 with every exact counter.
        .globl _start
        .text
_start:
        movl    $10, %ebx               // 1
again:                                  // 6 each
        movl    $buffer, %edi
        movl    $4096, %ecx
        xorl    %eax, %eax
        rep stosb
        decl    %ebx
        jnz     again
        movl    $1, %eax                // 5: write(1, end, 4)
        movl    $1, %edi
        movl    $end, %esi
        movl    $4, %edx
        syscall
        movl    $231, %eax              // 3: exit_group(0)
        xorl    %edi, %edi
        syscall
        .section .rodata
end:    .ascii  "END\n"
        .bss
        .skip   100                     // so that the buffer begins in one page and ends in another
buffer: .skip   4096
        .section .note.GNU-stack, "", @progbits
