// Flags saved by pushf and restored by popf as they are, unmasked, over code that changes them; nothing of the one
// who looks on may be in them.
#include "bare.h"
        START
        movl    $20, %ebx
1:      cmpl    $11, %ebx
        pushfq
        movq    (%rsp), %rax
        SHOW    %rax
        addl    $0x7fffffff, %eax
        popfq
        jb      2f
        leal    3(%r12), %r12d
2:      pushfq
        pushfq
        popfq
        popfq
        pushfw
        xorl    %eax, %eax
        popfw
        adcl    $5, %r12d
        decl    %ebx
        jnz     1b
        SHOW    %r12
        END
