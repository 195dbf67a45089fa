// Calls through registers and memory of functions that return in a few instructions: always the same, of two or many in turn, either way of a
// conditional jump, the end of a recursion; that return elsewhere, or find their return address changed. What stands below the stack's top
// afterwards, r11 and flags are what they would be.
#include "bare.h"
        .macro  THROUGH place
        leaq    \place(%rip), %rax
        call    *%rax
        addq    %rax, %r12
        .endm
        START
        movl    $40, %ebx
        movq    $0x1234, %r11
1:      movq    %rbx, %rdi
        THROUGH next
        THROUGH sign
        subq    $20, %rdi
        THROUGH sign
        leaq    table(%rip), %rbp
        movl    %ebx, %ecx
        andl    $1, %ecx
        call    *(%rbp,%rcx,8)          // two
        addq    %rax, %r12
        movl    %ebx, %ecx
        andl    $3, %ecx
        call    *(%rbp,%rcx,8)          // four
        addq    %rax, %r12
        call    *table+16(%rip)
        addq    %rax, %r12
        movl    $30, %edi
        THROUGH descends
        THROUGH framed
        movq    -8(%rsp), %rax          // what the return has popped
        leaq    2f(%rip), %rcx
        subq    %rcx, %rax
        addq    %rax, %r13
2:      leaq    skips_through_register(%rip), %rax
        call    *%rax                   // to one byte later, and nobody sees it coming
        .byte   0xcc
        leaq    skips(%rip), %rax
        call    *%rax                   // the same in plain sight
        .byte   0xcc
        adcq    $0, %r12
        leaq    3f(%rip), %rax
        call    jumps
        ud2
3:      xorl    %r14d, %r14d
        leaq    returns_there(%rip), %rax
        call    *%rax                   // at times to 4
        addq    $5, %r12
4:      addq    %r14, %r12
        leaq    names_r11(%rip), %r11
        call    *%r11
        addq    %rax, %r12
        leaq    carry(%rip), %rax
        call    *%rax                   // flags are alive behind it
        adcq    $0, %r12
        pushq   $7
        leaq    next(%rip), %rax
        pushq   %rax
        call    *(%rsp)
        addq    %rax, %r12
        leaq    drops(%rip), %rax
        call    *%rax                   // which takes both from the stack
        addq    %rax, %r12
        decl    %ebx
        jnz     1b
        SHOW    %r11
        SHOW    %r12
        SHOW    %r13
        FLAGS
        END
#include "short_functions.h"
twice:  leaq    (%rdi,%rdi), %rax
        ret
five:   movl    $5, %eax
        ret
many:   xorl    %eax, %eax              // too much to return soon
        .rept   70
        incq    %rax
        .endr
        ret
descends:                               // down to 1 on two ways, through a register
        cmpl    $1, %edi
        jbe     1f
        pushq   %rdi
        shrl    $1, %edi
        leaq    descends(%rip), %rcx
        call    *%rcx
        xchgq   %rax, (%rsp)
        leal    -1(%rax), %edi
        shrl    $2, %edi
        leaq    descends(%rip), %rcx
        call    *%rcx
        addq    (%rsp), %rax
        addq    $8, %rsp
        ret
1:      movl    $5, %eax
        ret
returns_there:                          // every eighth time, and nobody sees it coming
        movq    %rsp, %rcx
        testb   $7, %bl
        jnz     1f
        leaq    4b(%rip), %rax
        movq    %rax, (%rcx)
        movl    $2, %r14d
1:      ret
names_r11:
        movq    %r11, %rax
        subq    %rbp, %rax
        addq    $1, %r11
        ret
carry:  cmpl    $20, %ebx
        ret
drops:  movl    $9, %eax
        ret     $16
        .section .data.rel.ro, "aw"
        .balign 8
table:  .quad   next, twice, five, many
