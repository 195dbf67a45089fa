// Returns: plain, with a number of bytes to drop, as jumps to pushed addresses, to somewhere else than the
// caller, and calls that are only there for their return address.
#include "bare.h"
        START
        movl    $50, %ebx
1:      pushq   $11
        pushq   $22
        call    drops16                 // ret $16
        pushq   $0
        call    drops8
        leaq    2f(%rip), %rax
        pushq   %rax
        ret                             // a jump
        ud2
2:      call    3f                      // the address of the next instruction
3:      popq    %rcx
        leaq    3b(%rip), %rdx
        subq    %rdx, %rcx
        addq    %rcx, %r12
        call    skips                   // returns one byte later than it was called from
        .byte   0xcc
        call    leaves                  // never returns here
        ud2
4:      call    twice                   // returns to a second place through the first
        decl    %ebx
        jnz     1b
        SHOW    %r12
        SHOW    %r13
        movl    $12, %edi
        call    recursive
        SHOW    %rax
        // rep ret, bnd-prefixed and far-apart forms
        call    repret
        call    bndret
        SHOW    %rax
        END
drops16: movq   8(%rsp), %rax
        addq    16(%rsp), %rax
        addq    %rax, %r13
        ret     $16
drops8: incq    %r12
        ret     $8
skips:  incq    (%rsp)
        ret
leaves: popq    %rax
        jmp     4b
twice:  leaq    5f(%rip), %rax
        pushq   %rax
        ret
5:      addq    $3, %r12
        ret
repret: rep ret
bndret: .byte   0xf2            // bnd, which newer assemblers do not know
        ret
// fibonacci
recursive:
        cmpl    $2, %edi
        jae     1f
        movl    %edi, %eax
        ret
1:      pushq   %rdi
        decl    %edi
        call    recursive
        movq    (%rsp), %rdi
        movq    %rax, (%rsp)
        subl    $2, %edi
        call    recursive
        popq    %rdx
        addq    %rdx, %rax
        ret
