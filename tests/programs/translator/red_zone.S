// The 128 bytes below rsp belong to the program: they must survive jumps, branches, indirect jumps, loops, rep
// instructions and system calls.
#include "bare.h"
        START
        movl    $10, %ebx
again:  movl    $16, %ecx
1:      movq    %rcx, %rax                      // fill it: -8 .. -128
        imulq   $0x01010101, %rax
        negq    %rcx
        movq    %rax, (%rsp, %rcx, 8)
        negq    %rcx
        decl    %ecx
        jnz     1b
        leaq    2f(%rip), %rax
        cmpl    $5, %ebx
        jmp     *%rax
2:      jb      3f
        movq    table(%rip), %rax
        jmp     *%rax
3:      leaq    bytes(%rip), %rdi
        movl    $9, %ecx
        rep stosb
        movl    $39, %eax
        syscall
        movl    $1, %edx
        jmp     *table + 8(%rip)
4:      movl    $16, %ecx
        xorl    %esi, %esi
5:      negq    %rcx
        addq    (%rsp, %rcx, 8), %rsi
        rolq    $3, %rsi
        negq    %rcx
        loop    5b
        movq    %rsi, -120(%rsp)
        jmp     6f
6:      movq    -120(%rsp), %rax
        addq    %rax, %r12
        decl    %ebx
        jnz     again
        SHOW    %r12
        END
        .data
table:  .quad   3b, 4b
bytes:  .skip   16
