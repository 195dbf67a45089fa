// Instructions that overlap: jumps into the middle of one that also runs as a whole.
#include "bare.h"
        START
        movl    $20, %ebx
        xorl    %ebp, %ebp
1:      xorl    %eax, %eax
        testl   $1, %ebx
        jnz     inner
        // movl $0x9003c583, %eax when run from here; addl $3, %ebp; nop when run from its second byte
        .byte   0xb8
inner:  .byte   0x83, 0xc5, 0x03, 0x90
        leal    (%rbp, %rax), %ebp
        testl   $2, %ebx
        jnz     2f
        .byte   0x48                            // a REX prefix that one of two ways takes
2:      addl    %ebp, %ebp
        rolq    $1, %rbp
        jmp     3f + 1
3:      .byte   0xe9                            // jmp, of which only the operand is run
        nop
        nop
        nop
        nop
        testl   $4, %ebx
        jz      4f
        .byte   0xf3                            // rep, or none
4:      nop
        // lock, jumped over, as a C library does in single-threaded programs
        testl   $8, %ebx
        jnz     5f
        lock
5:      incq    counter(%rip)
        decl    %ebx
        jnz     1b
        SHOW    %rbp
        SHOW    counter(%rip)
        // A self-jump into itself: eb ff is jmp to its own second byte, ff c0 is inc %eax.
        xorl    %eax, %eax
        .byte   0xeb, 0xff, 0xc0
        SHOW    %rax
        END
        .data
counter: .quad  0
