// Loops of one, two and three instructions that jump to themselves, loops in loops in loops, loops entered in the
// middle and loops left from the middle.
#include "bare.h"
        START
        movl    $500, %eax
1:      decl    %eax
        jnz     1b
        movl    $300, %eax
1:      subl    $1, %eax
        jns     1b
        FLAGS
        movl    $100, %eax
1:      shrl    $1, %eax
        jc      1b
        jnz     1b
        movl    $0x10000, %eax
1:      addl    %eax, %eax
        jno     1b
        FLAGS
        movl    $12, %ebx
        xorl    %eax, %eax
1:      movl    $10, %ecx
2:      movl    $8, %edx
3:      incl    %eax
        decl    %edx
        jnz     3b
        leal    (%rax, %rcx), %eax
        decl    %ecx
        jnz     2b
        decl    %ebx
        jnz     1b
        SHOW    %rax
        movl    $50, %ecx
        jmp     middle
head:   addl    $5, %eax
middle: xorl    %ecx, %eax
        cmpl    $7, %ecx
        je      left
        decl    %ecx
        jnz     head
left:   SHOW    %rax
        SHOW    %rcx
        // Two blocks that take turns, and a block whose both ways lead to itself.
        movl    $40, %ecx
1:      decl    %ecx
        jz      3f
        jmp     2f
2:      decl    %ecx
        jz      3f
        jmp     1b
3:      movl    $30, %ecx
4:      leal    -1(%rcx), %ecx
        testl   %ecx, %ecx
        jz      5f
        testl   $1, %ecx
        jz      4b
        jmp     4b
5:      SHOW    %rcx
        FLAGS   LOGIC
        END
