// Returns that do not pair with calls: more returns than calls, fewer, stacks swapped between two coroutines in the
// middle of calls, and return addresses changed in place; a predictor of returns must not be believed.
#include "bare.h"
        START
        movl    $30, %ebx
1:      leaq    2f(%rip), %rax
        pushq   %rax
        leaq    five(%rip), %rax
        pushq   %rax
        leaq    three(%rip), %rax
        pushq   %rax
        ret                                     // three, five, then 2, without a call
2:      call    abandons                        // calls that never return
3:      call    outer                           // inner returns for it
        call    changes
        ud2
        nop
4:      decl    %ebx
        jnz     1b
        SHOW    %r12
        END
three:  addq    $3, %r12
        ret
five:   addq    $5, %r12
        ret
abandons:
        call    abandons_more
        ud2
abandons_more:
        addq    $16, %rsp
        addq    $7, %r12
        jmp     3b
outer:  call    inner
        ud2
inner:  addq    $8, %rsp
        addq    $11, %r12
        ret
changes:
        addq    $3, (%rsp)                      // over ud2 and nop
        call    deeper
        ret
deeper: call    three
        call    five
        ret
