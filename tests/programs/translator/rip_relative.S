// Operands relative to rip in every kind of instruction that has them: loads, stores, read-modify-write, lea,
// compare, push, pop, jump, call, immediates behind the displacement, vectors, and x87.
#include "bare.h"
        START
        movq    first(%rip), %rax
        movl    second(%rip), %ebx
        movzbl  first + 1(%rip), %ecx
        movsbq  first + 7(%rip), %rdx
        movslq  second(%rip), %rsi
        SHOW    %rax
        SHOW    %rbx
        SHOW    %rcx
        SHOW    %rdx
        SHOW    %rsi
        movq    %rax, third(%rip)
        movb    $0x5a, third + 2(%rip)          // immediates of 1, 2 and 4 bytes
        movw    $0x1234, third + 4(%rip)
        movl    $0x12345678, fourth(%rip)
        movq    $-2, fourth + 8(%rip)
        addq    $7, third(%rip)
        subl    $0x1000000, third + 4(%rip)
        FLAGS
        incl    fourth(%rip)
        negq    fourth + 8(%rip)
        notb    fourth + 3(%rip)
        shlq    $3, third(%rip)
        sarl    third(%rip)
        rolw    %cl, third(%rip)
        cmpq    %rax, first(%rip)
        FLAGS
        cmpb    $0x12, first(%rip)
        FLAGS
        testl   $0xff00, second(%rip)
        FLAGS   LOGIC
        xchgq   %rax, third(%rip)
        xaddl   %ebx, fourth(%rip)
        imulq   first(%rip), %rcx
        imull   $1000, second(%rip), %edx
        mulq    second(%rip)
        SHOW    %rax
        SHOW    %rdx
        SHOW    %rcx
        pushq   first(%rip)
        popq    fourth + 16(%rip)
        cmpl    $7, second(%rip)                // mulq has left all but two flags undefined
        cmoveq  first(%rip), %rax
        setne   fourth + 24(%rip)
        btl     $5, second(%rip)
        adcq    third(%rip), %rax
        leaq    first(%rip), %rdi
        leaq    fourth(%rip), %rbp
        subq    %rdi, %rbp
        SHOW    %rbp
        leaq    0x12345678(%rip), %rdx
        leaq    0f(%rip), %rcx
0:      subq    %rcx, %rdx
        SHOW    %rdx
        leal    first(%rip), %edx
        subl    %edi, %edx
        SHOW    %rdx
        movdqu  vector(%rip), %xmm0
        paddd   vector(%rip), %xmm0
        pshufd  $0x1b, vector(%rip), %xmm1
        addsd   first(%rip), %xmm1
        cvtsi2sdq second(%rip), %xmm2
        movq    %xmm0, %rax
        SHOW    %rax
        movdqu  %xmm1, vector(%rip)
        fldl    vector(%rip)
        fstpl   vector(%rip)
        fildq   first(%rip)
        fistpq  vector + 8(%rip)
        cmpxchgq %rax, third(%rip)
        jmp     *to(%rip)
        ud2
back:   call    *function(%rip)
        prefetcht0 first(%rip)
        movabsq first, %rax                     // an absolute 64-bit address
        SHOW    %rax
        .irp    offset, 0, 8, 16, 24
        SHOW    fourth + \offset(%rip)
        .endr
        SHOW    third(%rip)
        SHOW    vector(%rip)
        SHOW    vector + 8(%rip)
        END
adds:   addq    $100, third(%rip)
        ret
        .data
        .balign 16
vector: .long   1, 2, 3, 4
first:  .quad   0x8899aabbccddee12
second: .long   -1000, 0
third:  .quad   0
fourth: .skip   32
to:     .quad   back
function: .quad adds
