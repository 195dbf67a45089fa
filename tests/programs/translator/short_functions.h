// Functions that return in a few instructions, for the programs that call them one way and another (after END).
#pragma once

next:   leaq    1(%rdi), %rax
        ret
sign:   testq   %rdi, %rdi
        jg      1f
        js      2f
        xorl    %eax, %eax
        ret
1:      movl    $1, %eax
        ret
2:      movq    $-1, %rax
        ret
framed: pushq   %rbp
        movq    %rsp, %rbp
        subq    $32, %rsp
        movq    %rdi, -8(%rbp)
        movq    $3, (%rsp)
        movq    -8(%rbp), %rax
        addq    (%rsp), %rax
        leave
        ret
skips:  incq    (%rsp)
        stc
        ret
skips_through_register:
        movq    %rsp, %rax
        incq    (%rax)
        ret
jumps:  movq    %rax, (%rsp)            // a retpoline
        ret
