// Long additions and subtractions: the carry lives over a loop's back edge, over inc, dec, lea, loop and jrcxz,
// which leave it alone.
#include "bare.h"
        START
        movl    $200, %ebp
again:  leaq    left(%rip), %rsi
        leaq    right(%rip), %rdi
        movl    $8, %ecx
        clc
1:      movq    (%rsi), %rax
        adcq    (%rdi), %rax
        movq    %rax, (%rsi)
        leaq    8(%rsi), %rsi
        leaq    8(%rdi), %rdi
        decl    %ecx
        jnz     1b
        sbbq    %rdx, %rdx
        leaq    (%r12, %rdx), %r12
        leaq    right(%rip), %rdi
        leaq    left(%rip), %rsi
        movl    $7, %ecx
        stc
2:      movq    (%rsi, %rcx, 8), %rax
        sbbq    (%rdi), %rax
        rcrq    $1, %rax
        rclq    $1, %rax
        movq    %rax, (%rdi)
        jrcxz   3f
        leaq    8(%rdi), %rdi
        leaq    -1(%rcx), %rcx
        jmp     2b
3:      setc    %al
        movzbl  %al, %eax
        addq    %rax, %r13
        decl    %ebp
        jnz     again
        .irp    offset, 0, 8, 16, 24, 32, 40, 48, 56
        SHOW    left + \offset(%rip)
        SHOW    right + \offset(%rip)
        .endr
        SHOW    %r12
        SHOW    %r13
        END
        .data
        .balign 8
left:   .quad   -1, 0x123456789, -5, 7, 0x8000000000000000, -1, -2, 3
right:  .quad   1, -1, 0x7fffffffffffffff, 3, 0x8000000000000000, -9, 0x5555, 0x1111
