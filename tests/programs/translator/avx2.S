// AVX2, FMA and the upper halves of the vector registers, live over jumps, calls and system calls. Without the
// processor's or the system's support it says the same and does nothing.
#include "bare.h"
        START
        movl    $1, %eax
        xorl    %ecx, %ecx
        cpuid
        andl    $0x18001000, %ecx               // AVX, OSXSAVE, FMA
        cmpl    $0x18001000, %ecx
        jne     done
        xorl    %ecx, %ecx
        xgetbv
        andl    $6, %eax
        cmpl    $6, %eax
        jne     done
        movl    $7, %eax
        xorl    %ecx, %ecx
        cpuid
        testl   $0x20, %ebx                     // AVX2
        jz      done
        .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vpbroadcastq seed(%rip), %ymm\number
        vpsllvq shifts(%rip), %ymm\number, %ymm\number
        .endr
        call    mixes
        movl    $39, %eax
        syscall
        movl    $25, %ecx
1:      vpaddq  %ymm1, %ymm0, %ymm0
        vpermq  $0x39, %ymm0, %ymm0
        vfmadd231pd %ymm2, %ymm3, %ymm4
        decl    %ecx
        jnz     1b
        vpxor   %ymm4, %ymm0, %ymm0
        .irp    number, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vpaddq  %ymm\number, %ymm0, %ymm0
        .endr
        vmovdqu %ymm0, value(%rip)
        vptest  %ymm0, %ymm1
        setc    %al
        setz    %ah
        vmovmskpd %ymm0, %edx
        vpcmpeqd %ymm0, %ymm0, %ymm1
        vpmovmskb %ymm1, %ecx
        cmpl    $-1, %ecx
        jne     bad
        vpgatherdd %ymm1, shifts(, %ymm8, 1), %ymm2
        vzeroupper
        vextracti128 $1, %ymm0, %xmm1
        vptest  %xmm1, %xmm1                    // cleared
        jnz     bad
        vmovdqu value(%rip), %ymm0
        vzeroall
        vptest  %ymm0, %ymm0
        jnz     bad
done:   END
mixes:  vpunpcklbw %ymm1, %ymm0, %ymm0
        vperm2i128 $1, %ymm0, %ymm0, %ymm5
        vpxor   %ymm8, %ymm8, %ymm8
        ret
bad:    ud2
        .data
        .balign 32
seed:   .quad   0x0123456789abcdef
shifts: .quad   1, 2, 3, 4
        .skip   64
value:  .skip   32
