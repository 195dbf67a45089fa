// Every form of indirect call: through each register, through memory with every kind of address, relative to
// rsp (which the call itself changes), rip and fs.
#include "bare.h"
        .macro  THROUGH register
        movq    %\register, saved(%rip)
        leaq    add3(%rip), %\register
        call    *%\register
        movq    saved(%rip), %\register
        .endm
        START
        xorl    %r8d, %r8d
        xorl    %r12d, %r12d
        .irp    register, rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15
        THROUGH \register
        .endr
        movq    sum(%rip), %rax
        SHOW    %rax
        call    *functions(%rip)
        movl    $1, %eax
        call    *functions(, %rax, 8)
        leaq    functions(%rip), %rbx
        call    *(%rbx)
        call    *8(%rbx)
        call    *(%rbx, %rax, 8)
        movq    $-1, %r11
        call    *16(%rbx, %r11, 8)
        leaq    functions - 0x1000(%rip), %r12  // bases r12 and r13 have encodings of their own
        call    *0x1000(%r12)
        leaq    8(%rbx), %r13
        call    *(%r13)
        call    *0(%r13)
        movq    %rbx, %rcx
        call    *8(%rcx)
        movq    %rbx, %r11
        call    *8(%r11)
        movq    %rbx, %r10
        movl    $1, %r11d
        call    *(%r10, %r11, 8)
        call    *functions                      // absolute, without a base
        addr32 call *functions(%eip)
        leaq    add3(%rip), %rax
        pushq   %rax
        call    *(%rsp)                         // read before the return address is pushed
        leaq    add5(%rip), %rcx
        pushq   %rcx
        call    *8(%rsp)
        movl    $1, %edx
        call    *(%rsp, %rdx, 8)
        addq    $16, %rsp
        leaq    add5(%rip), %r14
        pushq   %r14
        pushq   $5
        pushq   $6
        call    *16(%rsp)
        addq    $24, %rsp
        movl    $158, %eax                      // arch_prctl(ARCH_SET_FS)
        movl    $0x1002, %edi
        leaq    functions(%rip), %rsi
        syscall
        call    *%fs:0
        call    *%fs:8
        movl    $8, %ecx
        call    *%fs:(%rcx)
        movq    %fs:8, %rax
        call    *%rax
        movl    $158, %eax                      // arch_prctl(ARCH_SET_GS)
        movl    $0x1001, %edi
        leaq    functions(%rip), %rsi
        syscall
        call    *%gs:8
        movq    %gs:0, %r9
        call    *%r9
        movq    sum(%rip), %rax
        SHOW    %rax
        call    flags
        FLAGS
        END
add3:   addq    $3, sum(%rip)
        ret
add5:   addq    $5, sum(%rip)
        ret
flags:  movl    $0x7fffffff, %eax
        incl    %eax
        ret
        .data
        .balign 8
functions: .quad add3, add5
sum:    .quad   0
saved:  .quad   0
