// What a system call leaves: rcx is the address behind it, r11 the flags, all else is unchanged, with calls that
// succeed, fail, and are in loops; their addresses are the program's own.
#include "bare.h"
        START
        movl    $0x11, %ebx
        movl    $0x22, %edi
        movl    $0x33, %esi
        movl    $0x44, %edx
        movl    $0x55, %ebp
        movl    $0x66, %r8d
        movl    $0x77, %r9d
        movl    $0x88, %r10d
        movl    $0x99, %r12d
        movl    $0xaa, %r13d
        movl    $0xbb, %r14d
        movl    $0xcc, %r15d
        movl    $6, %ecx
again:  movl    %ecx, %r14d
        movl    $39, %eax                       // getpid
        cmpl    $3, %ecx
        syscall
after:  FLAGS                                   // as before the call
        leaq    after(%rip), %rax
        subq    %rax, %rcx
        SHOW    %rcx
        andl    $ARITHMETIC, %r11d
        SHOW    %r11
        .irp    register, rbx, rdi, rsi, rdx, rbp, r8, r9, r10, r12, r13, r14, r15
        SHOW    %\register
        .endr
        movl    $3, %eax                        // close(-1)
        movl    $-1, %edi
        syscall
        SHOW    %rax
        movl    $0x22, %edi
        stc
        movl    $186, %eax                      // gettid
        syscall
        adcl    $0, %ebx                        // the carry is the one before it
        movl    %r14d, %ecx
        decl    %ecx
        jnz     again
        SHOW    %rbx
        movl    $100, %r13d                     // a call in a loop of its own
1:      movl    $110, %eax                      // getppid
        syscall
        decl    %r13d
        jnz     1b
        movl    $110, %eax                      // rcx is an address that can be jumped to
        syscall
        decl    %r14d
        jz      2f
        jmp     *%rcx
2:      SHOW    %r14
        END
