// The bases of fs and gs set and asked for by instructions, as a processor with FSGSBASE has them: the virtual CPU's model lacks
// them (docs/virtual-cpu.md), so this is for runs without that rule.
#include "bare.h"
        START
        rdgsbase %rax
        SHOW    %rax
        leaq    data+8(%rip), %rax
        wrgsbase %rax
        movq    %gs:8, %rax
        SHOW    %rax
        rdgsbase %ecx
        leaq    data+8(%rip), %rax
        subl    %eax, %ecx
        SHOW    %rcx
        movl    $data, %eax
        wrgsbase %eax
        SHOW    %gs:16
        rdfsbase %rax
        SHOW    %rax
        leaq    data+16(%rip), %rax
        wrfsbase %rax
        SHOW    %fs:0
        END
        .data
        .balign 16
data:   .quad   0x1122334455667788, 1000, 0x1616, 0x2424
