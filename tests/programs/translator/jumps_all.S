// All 16 conditions under all 64 states of the flags: jumps taken and not taken, short and near, forward and
// backward, set and move.
#include "bare.h"
        .macro  TAKE condition
        // short forward
        leaq    (%r12, %r12), %r12
        j\condition 1f
        incq    %r13
1:      // near forward
        {disp32} j\condition 2f
        leaq    1(%r12), %r12
        .skip   3, 0x90
2:      // backward: over a jump
        jmp     4f
3:      leaq    2(%r12), %r12
        jmp     5f
4:      j\condition 3b
5:      set\condition %al
        movzbl  %al, %eax
        leaq    (%r12, %rax, 4), %r12
        movl    $7, %edx
        cmov\condition %r14, %rdx
        leaq    (%r12, %rdx, 8), %r12
        set\condition byte(%rip)
        movl    $1, %edx
        cmov\condition\()l ones(%rip), %edx
        leaq    (%r12, %rdx), %r12
        .endm
        START
        movl    $11, %r14d
        xorl    %ebp, %ebp              // the state: 6 bits
state:  xorl    %eax, %eax
        movl    %ebp, %ecx
        andl    $0x1f, %ecx
        leaq    states(%rip), %rsi
        movb    (%rsi, %rcx), %ah
        testl   $0x20, %ebp
        jz      1f
        movb    $0x7f, %al
1:      xorl    %r12d, %r12d
        xorl    %r13d, %r13d
        movl    %eax, %ebx
        addb    $1, %al                 // OF as the state says
        movl    %ebx, %eax
        sahf                            // and the others
        .irp    condition, o, no, b, ae, e, ne, be, a, s, ns, p, np, l, ge, le, g
        TAKE    \condition
        .endr
        SHOW    %r12
        addq    %r13, %r15
        incl    %ebp
        cmpl    $64, %ebp
        jb      state
        SHOW    %r15
        END
        .section .rodata
// CF=1 PF=4 AF=10 ZF=40 SF=80 in all combinations
states:
        .irp    high, 0, 0x40, 0x80, 0xc0
        .irp    low, 0, 1, 4, 5, 0x10, 0x11, 0x14, 0x15
        .byte   \high + \low
        .endr
        .endr
        .data
ones:   .long   -1
byte:   .byte   0
