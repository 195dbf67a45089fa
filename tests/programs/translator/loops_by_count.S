// loop, loope, loopne, jrcxz and jecxz, forward and backward, taken and not, with 64- and 32-bit counters, and
// with flags that they must neither change nor read from elsewhere.
#include "bare.h"
        START
        movl    $20, %ecx
        xorl    %eax, %eax
1:      addl    $3, %eax
        loop    1b
        FLAGS
        SHOW    %rax
        SHOW    %rcx
        movl    $1, %ecx
        loop    bad1
        movl    $5, %ecx                        // forward
        loop    1f
bad1:   ud2
1:      SHOW    %rcx
        movl    $10, %ecx                       // until not equal
        xorl    %edx, %edx
1:      incl    %edx
        cmpl    $4, %edx
        loopne  1b
        FLAGS
        SHOW    %rcx
        movl    $10, %ecx
        xorl    %edx, %edx
1:      addl    $0x40, %edx
        testl   $0x100, %edx
        loope   1b
        FLAGS   LOGIC
        SHOW    %rcx
        movl    $3, %ecx
        cmpl    %eax, %eax
1:      loope   1b                              // a loop that is one instruction
        SHOW    %rcx
        movl    $300, %ecx
1:      loop    1b
        SHOW    %rcx
        xorl    %ecx, %ecx
        jrcxz   1f
        ud2
1:      movl    $1, %ecx
        jrcxz   bad2
        movabsq $0x100000000, %rcx
        jrcxz   bad2
        jecxz   1f                              // 32 bits of it are zero
bad2:   ud2
1:      movabsq $0x100000003, %rcx
1:      addr32 loop 1b                          // counts ecx and clears the upper half
        SHOW    %rcx
        movl    $2, %ecx
        addr32 loope 2f
        ud2
2:      FLAGS   LOGIC
        movl    $7, %ecx                        // jrcxz backward, as the head of a loop
        xorl    %eax, %eax
        jmp     2f
1:      jmp     3f
2:      jrcxz   1b
        leaq    (%rax, %rcx), %rax
        decl    %ecx
        jmp     2b
3:      SHOW    %rax
        stc
        movl    $2, %ecx
        loop    1f
        nop
1:      adcl    $0, %eax                        // the carry went through
        SHOW    %rax
        END
