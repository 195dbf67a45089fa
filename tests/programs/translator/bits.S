// Bit instructions: bt of registers and far bits of memory, bsf, bsr, shifts and rotations by constants and by cl
// (by 0 they leave the flags alone), double shifts, and BMI, popcnt, adx where the processor has them.
#include "bare.h"
        START
        movabsq $0x8123456789abcde0, %rbx
        movl    $70, %ecx
        btq     %rcx, %rbx
        FLAGS   1
        btsq    $5, %rbx
        btrl    $31, %ebx
        FLAGS   1
        movl    $300, %edx
        btsl    %edx, memory(%rip)              // beyond the operand
        FLAGS   1
        movq    $-3, %rdx
        btcq    %rdx, memory + 8(%rip)
        SHOW    memory(%rip)
        SHOW    memory + 32(%rip)
        bsfq    %rbx, %rax
        FLAGS   0x40
        SHOW    %rax
        bsrq    %rbx, %rax
        SHOW    %rax
        xorl    %edx, %edx
        bsfq    %rdx, %rax
        FLAGS   0x40
        movl    $9, %ebp
1:      movl    %ebp, %ecx
        shll    $2, %ecx
        cmpl    $5, %ebp                        // the flags that a shift by 0 leaves
        movq    %rbx, %rax
        shlq    %cl, %rax
        FLAGS   0xc5
        sarl    %cl, %eax
        FLAGS   0xc5
        rorq    %cl, %rax
        FLAGS   0xc5
        rclq    %cl, %rax
        FLAGS   0xc5
        rcrl    %cl, %eax
        shldq   %cl, %rbx, %rax
        shrdl   %cl, %ebx, %eax
        rolw    %cl, %ax
        shrb    %cl, %ah
        SHOW    %rax
        decl    %ebp
        jns     1b
        shlq    %rax
        FLAGS   LOGIC
        bswapq  %rbx
        SHOW    %rbx
        movl    $7, %eax
        xorl    %ecx, %ecx
        cpuid
        andl    $0x80108, %ebx                  // BMI1, BMI2, ADX
        cmpl    $0x80108, %ebx
        jne     done
        movabsq $0x8123456789abcde0, %rbx
        movl    $13, %ecx
        andnq   %rbx, %rcx, %rax
        SHOW    %rax
        blsiq   %rbx, %rax
        blsrq   %rax, %rdx
        setz    %dl
        addq    %rdx, %rax
        bextrq  %rcx, %rbx, %rdx
        addq    %rdx, %rax
        stc
        bzhiq   %rcx, %rbx, %rdx
        adcq    %rdx, %rax
        stc
        rorxq   $9, %rbx, %rdx                  // BMI2 leaves the flags alone
        shlxq   %rcx, %rbx, %rsi
        sarxq   %rcx, %rbx, %rdi
        adcq    %rdx, %rax
        addq    %rsi, %rax
        addq    %rdi, %rax
        movq    %rax, %rdx
        mulxq   %rbx, %rsi, %rdi
        pdepq   %rsi, %rdi, %rdx
        pextq   %rbx, %rdx, %rdx
        addq    %rdx, %rax
        stc
        adoxq   %rax, %rdi
        adcxq   %rdi, %rax
        tzcntq  %rax, %rdx
        lzcntq  %rax, %rsi
        popcntq %rax, %rdi
        addq    %rdx, %rax
        addq    %rsi, %rax
        addq    %rdi, %rax
        cmpq    $0, %rax
        je      done
done:   END
        .data
        .balign 64
memory: .skip   64
