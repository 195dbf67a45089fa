// Locked and exchanging instructions: cmpxchg of all widths that succeeds and fails, xadd, xchg, cmpxchg8b and
// 16b, lock inc, bts and neg.
#include "bare.h"
        START
        movl    $5, %ebx
        movl    $1, %ecx
1:      movl    word(%rip), %eax                // as a spin lock does
2:      leal    7(%rax), %edx
        lock cmpxchgl %edx, word(%rip)
        FLAGS
        jne     2b
        xorl    %eax, %eax
        lock cmpxchgq %rcx, word(%rip)          // fails
        FLAGS
        SHOW    %rax
        movb    word(%rip), %al
        lock cmpxchgb %cl, word(%rip)
        FLAGS
        lock xaddq %rcx, word(%rip)
        SHOW    %rcx
        xchgq   %rcx, other(%rip)
        xchgl   %ecx, %ecx
        SHOW    %rcx
        lock incq word(%rip)
        lock decl other(%rip)
        FLAGS
        lock negq word(%rip)
        FLAGS
        lock btsq $3, word(%rip)
        FLAGS   1
        lock btcl $40, other(%rip)
        lock notb other + 1(%rip)
        lock orq $0x80, word(%rip)
        FLAGS   LOGIC
        movq    pair(%rip), %rax
        movq    pair + 8(%rip), %rdx
        pushq   %rbx
        movl    $111, %ebx
        movl    $222, %ecx
        lock cmpxchg16b pair(%rip)
        FLAGS   0x40
        lock cmpxchg16b pair(%rip)              // fails, and loads
        FLAGS   0x40
        SHOW    %rax
        SHOW    %rdx
        lock cmpxchg8b pair(%rip)
        FLAGS   0x40
        popq    %rbx
        movl    $3, %ecx
        mfence
        decl    %ebx
        jnz     1b
        SHOW    word(%rip)
        SHOW    other(%rip)
        SHOW    pair(%rip)
        END
        .data
        .balign 16
pair:   .quad   1, 2
word:   .quad   100
other:  .quad   0x1000
