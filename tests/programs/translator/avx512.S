// AVX-512: 32 registers, masks, upper halves, live over jumps, calls and system calls. Without support it says
// the same and does nothing.
#include "bare.h"
        START
        movl    $1, %eax
        xorl    %ecx, %ecx
        cpuid
        btl     $27, %ecx                       // OSXSAVE
        jnc     done
        xorl    %ecx, %ecx
        xgetbv
        andl    $0xe6, %eax
        cmpl    $0xe6, %eax
        jne     done
        movl    $7, %eax
        xorl    %ecx, %ecx
        cpuid
        andl    $0x40010000, %ebx               // AVX512F, AVX512BW
        cmpl    $0x40010000, %ebx
        jne     done
        vpbroadcastq seed(%rip), %zmm16
        vpsllq  $3, %zmm16, %zmm31
        movl    $0x5a5a, %eax
        kmovw   %eax, %k1
        kmovq   seed(%rip), %k5
        vpaddq  %zmm16, %zmm31, %zmm20{%k1}{z}
        call    mixes
        movl    $39, %eax
        syscall
        movl    $25, %ecx
1:      vpaddq  %zmm20, %zmm31, %zmm31
        valignq $3, %zmm31, %zmm16, %zmm17
        vpxorq  %zmm17, %zmm31, %zmm31{%k1}
        decl    %ecx
        jnz     1b
        vpcmpgtq %zmm16, %zmm31, %k2
        kortestw %k2, %k1
        jz      bad
        kmovq   %k5, %rax
        cmpq    seed(%rip), %rax
        jne     bad
        vmovdqu64 %zmm31, value(%rip)
        xorl    %eax, %eax
        movl    $7, %ecx
1:      addq    value(, %rcx, 8), %rax
        rolq    $9, %rax
        decl    %ecx
        jns     1b
        cmpq    $0, %rax                        // what it is does not matter: it must not be lost
        je      bad
        vzeroupper
done:   END
mixes:  vpermq  %zmm16, %zmm20, %zmm20
        knotw   %k1, %k1
        ret
bad:    ud2
        .data
        .balign 64
seed:   .quad   0x0123456789abcdef
value:  .skip   64
