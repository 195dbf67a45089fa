// Every shape of address: no base, base, index, scales, displacements of 0, 1 and 4 bytes, negative ones, rsp, rbp,
// r12 and r13 as bases (their encodings are special), 32-bit addresses, and fs.
#include "bare.h"
        START
        leaq    middle(%rip), %rbx
        movl    $2, %ecx
        xorl    %eax, %eax
        addq    (%rbx), %rax
        addq    8(%rbx), %rax
        addq    -128(%rbx), %rax
        addq    127(%rbx), %rax
        addq    0x400(%rbx), %rax
        addq    -0x400(%rbx), %rax
        addq    (%rbx, %rcx), %rax
        addq    (%rbx, %rcx, 2), %rax
        addq    4(%rbx, %rcx, 4), %rax
        addq    -0x200(%rbx, %rcx, 8), %rax
        addq    middle, %rax
        addq    middle(, %rcx, 8), %rax
        addq    0x80(%rbx, %rcx), %rax
        SHOW    %rax
        .irp    base, rbp, r12, r13, r14, rdi, r8
        movq    %rbx, %\base
        addq    (%\base), %rax
        addq    16(%\base), %rax
        addq    (%\base, %rcx, 4), %rax
        addq    0x300(%\base, %rcx, 8), %rax
        movq    %rcx, %\base
        addq    (%rbx, %\base, 8), %rax
        addq    middle(, %\base, 4), %rax
        .endr
        SHOW    %rax
        pushq   $77
        pushq   $66
        addq    (%rsp), %rax
        addq    8(%rsp), %rax
        addq    (%rsp, %rcx, 4), %rax
        addq    $0x1000, 8(%rsp)
        popq    (%rbx)                          // pop to memory
        popq    middle + 8
        SHOW    (%rbx)
        SHOW    8(%rbx)
        SHOW    %rax
        addr32 addq (%ebx), %rax
        addr32 addq 8(%ebx, %ecx, 4), %rax
        leal    (%rbx, %rcx), %edx
        addr32 leaq -8(%ebx), %rdx
        subq    %rbx, %rdx
        SHOW    %rdx
        SHOW    %rax
        movl    $158, %eax
        movl    $0x1002, %edi
        movq    %rbx, %rsi
        syscall
        movl    $2, %ecx
        xorl    %eax, %eax
        addq    %fs:0, %rax
        addq    %fs:-8, %rax
        addq    %fs:(, %rcx, 8), %rax
        movl    $16, %r10d
        addq    %fs:8(%r10), %rax
        movq    $0x55, %fs:24
        SHOW    %rax
        SHOW    24(%rbx)
        movb    %ah, %bl
        movb    %ch, %dh
        SHOW    %rdx
        END
        // middle is in low memory, as a program that is not position-independent has it
        .data
        .balign 4096
        .set    n, 1
        .rept   256
        .quad   n * 0x10001
        .set    n, n + 7
        .endr
middle: .rept   256
        .quad   n * 0x101
        .set    n, n + 5
        .endr
