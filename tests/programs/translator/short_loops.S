// Loops of one, two and three instructions that jump to themselves, loops in loops in loops, loops entered in the
// middle, loops left from the middle, and loops whose checks jump past the code that fails.
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
        // A check that never fails; one that fails each eighth time and leads back; two in a row, of which one leads out at last; one within
        // a loop that is such a way itself.
        movl    $200, %ecx
        xorl    %eax, %eax
1:      leal    3(%rax), %eax
        cmpl    $100000, %eax
        jb      2f
        movl    $-1, %eax
        jmp     3f
2:      addl    %ecx, %eax
        decl    %ecx
        jnz     1b
3:      SHOW    %rax
        movl    $203, %ecx
        xorl    %ebx, %ebx
1:      testl   $7, %ecx
        jnz     2f
        leal    1(%rbx), %ebx
        jmp     3f
2:      leal    (%rax, %rcx), %eax
3:      decl    %ecx
        jnz     1b
        SHOW    %rax
        SHOW    %rbx
        movl    $190, %ecx
1:      cmpl    $500, %ecx
        jb      2f
        xorl    %eax, %eax
        jmp     4f
2:      leal    1(%rax), %eax
        cmpl    $3, %ecx
        ja      3f
        leal    1000(%rax), %eax
        jmp     4f
3:      decl    %ecx
        jmp     5f
5:      testl   %ecx, %ecx
        jnz     1b
4:      SHOW    %rax
        movl    $20, %ebx
1:      movl    $9, %ecx
2:      testl   $1, %ebx
        jz      3f
        leal    5(%rax), %eax
        jmp     4f
3:      decl    %ecx
        jns     2b
4:      decl    %ebx
        jnz     1b
        SHOW    %rax
        FLAGS
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
