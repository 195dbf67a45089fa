// Bytes behind branches that are never taken: data that looks like code of all kinds, and addresses what is far away.
#include "bare.h"
        START
        movl    $3, %ebx
again:  xorl    %eax, %eax
        jnz     far_below
        testl   %eax, %eax
        jne     far_above
        cmpl    $1, %eax
        je      privileged
        call    returns
        decl    %ebx
        jnz     again
        SHOW    %rbx
        END

returns: ret

far_below:
        .byte   0x48, 0x8d, 0x05, 0x00, 0x00, 0x00, 0x80        // lea -0x80000000(%rip), %rax
        .byte   0x48, 0x8b, 0x0d, 0x10, 0x00, 0x00, 0x80        // mov -0x7ffffff0(%rip), %rcx
        jmp     far_above
far_above:
        .byte   0x48, 0x8d, 0x05, 0xff, 0xff, 0xff, 0x7f        // lea 0x7fffffff(%rip), %rax
        .byte   0xff, 0x25, 0x00, 0x00, 0x00, 0x80              // jmp *-0x80000000(%rip)
privileged:
        wrmsr
        .byte   0x65, 0x48, 0x8b, 0x00                          // mov %gs:(%rax), %rax
        .byte   0x0f, 0x24, 0xc0                                // no instruction
