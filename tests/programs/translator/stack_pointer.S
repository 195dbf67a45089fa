// rsp as an ordinary register: exchanged, loaded, used in arithmetic, pushed and popped, enter and leave, and
// stacks that a program changes on its own.
#include "bare.h"
        START
        movq    %rsp, %rbp
        leaq    other_end(%rip), %rsp
        pushq   $42
        call    on_it
        popq    %rax
        SHOW    %rax
        xchgq   %rsp, %rbp
        leaq    other_end(%rip), %rax
        xchgq   %rax, %rsp
        pushq   $1
        pushq   $2
        pushq   %rsp                            // pushes the value before
        popq    %rdx
        subq    %rsp, %rdx
        SHOW    %rdx
        popq    %rdx
        pushq   (%rsp)
        popq    8(%rsp)                         // addressed after rsp has moved
        addq    $-64, %rsp
        andq    $-64, %rsp
        leaq    -24(%rsp), %rsp
        movq    %rsp, %rcx
        subq    $other, %rcx
        SHOW    %rcx
        movq    %rsp, (%rsp)
        popq    %rsp                            // pops into itself
        subq    $other, %rsp
        movq    %rsp, %rcx
        movq    %rax, %rsp
        SHOW    %rcx
        movq    $0x1111, %rbp
        enter   $32, $0
        movq    %rbp, %rcx
        subq    %rsp, %rcx
        SHOW    %rcx
        SHOW    (%rbp)
        movq    $7, -8(%rbp)
        leave
        SHOW    %rbp
        movq    %rsp, %rbp
        enter   $16, $2
        movq    %rbp, %rcx
        subq    %rsp, %rcx
        SHOW    %rcx
        leave
        pushw   $0x1234
        pushw   $0x5678
        movl    (%rsp), %edx
        SHOW    %rdx
        popw    %cx
        popw    %dx
        SHOW    %rcx
        movl    $20, %ecx                       // a stack of a coroutine, changed in a loop
        leaq    other_end - 1024(%rip), %rbx
        leaq    coroutine(%rip), %rax
        subq    $8, %rbx
        movq    %rax, (%rbx)
1:      call    switches
        decl    %ecx
        jnz     1b
        SHOW    %r13
        movq    %rsp, %r14
        movl    $other + 2048, %esp             // 32-bit write clears the upper half
        pushq   %r13
        call    on_it
        popq    %r13
        movq    %r14, %rsp
        cmpq    %rsp, %r14
        FLAGS
        END
on_it:  movq    8(%rsp), %rax
        incq    8(%rsp)
        ret
switches:
        xchgq   %rsp, %rbx
        ret
coroutine:
        addq    $3, %r13
        call    switches
        addq    $100, %r13
        call    switches
        jmp     coroutine
        .bss
        .balign 64
other:  .skip   4096
other_end:
