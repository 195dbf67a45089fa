// SSE to SSE4.2: vectors live over jumps, calls and system calls, comparisons that set flags, conversions, and the
// control word.
#include "bare.h"
        .macro  VECTOR register
        movdqu  %\register, value(%rip)
        movq    value(%rip), %rax
        SHOW    %rax
        movq    value + 8(%rip), %rax
        SHOW    %rax
        .endm
        START
        .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movdqa  bytes(%rip), %xmm\number
        psllq   $\number, %xmm\number
        .endr
        call    mixes
        movl    $39, %eax
        syscall
        .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        pxor    %xmm\number, %xmm15
        .endr
        VECTOR  xmm15
        movsd   two(%rip), %xmm0
        sqrtsd  %xmm0, %xmm1
        mulsd   %xmm1, %xmm1
        ucomisd %xmm0, %xmm1
        FLAGS
        ja      1f
        ud2
1:      comisd  nan(%rip), %xmm0
        FLAGS
        jp      1f
        ud2
1:      cvttsd2si %xmm1, %rax
        SHOW    %rax
        cvtsi2sd %rax, %xmm2
        divsd   %xmm1, %xmm2
        VECTOR  xmm2
        stmxcsr value(%rip)
        movl    value(%rip), %eax
        SHOW    %rax
        orl     $0x6000, value(%rip)            // towards zero
        ldmxcsr value(%rip)
        movsd   two(%rip), %xmm3
        call    root
        VECTOR  xmm3
        movdqa  bytes(%rip), %xmm4
        pshufd  $0x1b, %xmm4, %xmm5
        pmovmskb %xmm5, %ecx
        SHOW    %rcx
        pshufb  shuffle(%rip), %xmm4
        VECTOR  xmm4
        pcmpeqb %xmm4, %xmm4
        ptest   %xmm4, %xmm5
        FLAGS
        phaddw  %xmm5, %xmm5
        pmulld  bytes(%rip), %xmm5
        VECTOR  xmm5
        movdqa  bytes(%rip), %xmm6
        movdqa  shuffle(%rip), %xmm7
        pcmpistri $0x0c, %xmm7, %xmm6
        FLAGS
        SHOW    %rcx
        crc32q  two(%rip), %rcx
        SHOW    %rcx
        roundsd $1, %xmm2, %xmm2
        movq    %xmm2, %rax
        SHOW    %rax
        movl    $10, %ecx
        pxor    %xmm0, %xmm0
1:      addpd   ones(%rip), %xmm0
        shufpd  $1, %xmm0, %xmm0
        loop    1b
        VECTOR  xmm0
        movnti  %rcx, value(%rip)
        sfence
        END
mixes:  punpcklbw %xmm1, %xmm0
        paddq   %xmm2, %xmm3
        ret
root:   sqrtsd  %xmm3, %xmm3
        ret
        .data
        .balign 16
bytes:  .byte   1, 0x22, 0x83, 4, 0x55, 6, 0x97, 8, 9, 0xaa, 11, 12, 0xdd, 14, 15, 0x10
shuffle: .byte  3, 2, 1, 0x80, 15, 14, 13, 12, 4, 5, 6, 7, 0, 0, 1, 9
ones:   .double 1.5, 2.25
two:    .double 2
nan:    .quad   0x7ff8000000000000
value:  .skip   16
