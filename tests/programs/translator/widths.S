// Arithmetic of all widths: writes of 8 and 16 bits keep the rest, of 32 bits clear it; multiplication, division,
// sign extension, exchange and their flags.
#include "bare.h"
        START
        movabsq $0x1122334455667788, %rax
        movq    %rax, %rbx
        movq    %rax, %rcx
        movq    %rax, %rdx
        addb    %bl, %bh
        FLAGS
        addw    $0x8000, %cx
        FLAGS
        addl    $0, %edx
        FLAGS
        SHOW    %rbx
        SHOW    %rcx
        SHOW    %rdx
        cbtw
        cwtl
        cltq
        SHOW    %rax
        movl    $0x80000000, %eax
        cltd
        SHOW    %rdx
        cqto
        SHOW    %rdx
        movl    $25, %r8d
1:      movl    %r8d, %eax
        imulq   $0x1e3779b1, %rax, %rax
        movq    %rax, %rbx
        mulb    %bl
        FLAGS   0x801
        movq    %rbx, %rax
        imulw   %bx
        movswl  %ax, %eax
        mull    %ebx
        FLAGS   0x801
        addq    %rdx, %rax
        imulq   %rbx
        FLAGS   0x801
        xorq    %rdx, %rax
        xorl    %edx, %edx
        leaq    3(%r8), %rcx
        divq    %rcx
        addq    %rdx, %rax
        cqto
        negq    %rcx
        idivq   %rcx
        addq    %rdx, %rax
        movzwl  %ax, %eax
        movb    $17, %cl
        xorb    %ah, %ah
        divb    %cl
        cwtd
        SHOW    %rax
        xchgb   %ah, %bl
        xchgw   %ax, %dx
        xaddw   %bx, %dx
        SHOW    %rbx
        movsbw  %bl, %ax
        movzbl  %ah, %edx
        subb    $0x80, %al
        FLAGS
        sbbw    $0x7fff, %ax
        FLAGS
        incb    %al
        decw    %ax
        FLAGS
        negb    %al
        FLAGS
        cmpxchgw %dx, %bx
        FLAGS
        addl    $0x7fffffff, %ebx
        FLAGS
        decl    %r8d
        jnz     1b
        SHOW    %rbx
        END
