// Flags that are set before a jump, a call, a return or an indirect jump and read behind it, in both directions.
#include "bare.h"
        START
        movl    $40, %ebx
round:  movl    %ebx, %eax
        subl    $20, %eax               // CF, ZF, SF, PF, AF differ from round to round
        jmp     1f
        .skip   200, 0xcc
1:      adcl    $0, %ebx
        sbbq    %rcx, %rcx
        call    keeps                   // over a call and its return
        setc    %dl
        setz    %dh
        leaq    2f(%rip), %rsi
        cmpl    $30, %ebx
        jmp     *%rsi                   // over an indirect jump
        ud2
2:      setl    %cl
        setp    %ch
        cmpl    $10, %ebx
        call    *table(%rip)            // over an indirect call
        seta    %al
        SHOW    %rax
        SHOW    %rcx
        SHOW    %rdx
        testl   $1, %ebx
        leaq    3f(%rip), %rsi
        pushq   %rsi
        ret                             // over a return used as a jump
        ud2
3:      jz      4f                      // and over the fall through of a jump that is not taken
        js      4f
        jc      4f
        jnz     5f
4:      decl    %ebx
5:      subl    $3, %ebx
        jg      round
        FLAGS
        // Flags read by a jump that is itself the target of jumps with other flags.
        movl    $3, %ecx
        xorl    %eax, %eax
        clc
6:      rcll    $1, %eax
        cmpl    $2, %ecx
        decl    %ecx
        jnz     6b
        FLAGS
        SHOW    %rax
        END
keeps:  movl    %ebx, %edx
        leaq    1(%rdx), %rdx
        movzbl  %dl, %edx
        ret
        .data
table:  .quad   keeps
