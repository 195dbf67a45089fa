// Calls of functions that return in a few instructions: at once, either way of a conditional jump, from the end of a recursion; that return
// elsewhere; that keep something in the stack. What stands below the stack's top afterwards, r11 and flags are what they would be.
#include "bare.h"
        START
        movl    $60, %ebx
        movq    $0x1234, %r11
1:      movq    %rbx, %rdi
        call    next
        addq    %rax, %r12
        call    sign
        addq    %rax, %r12
        subq    $30, %rdi
        call    sign
        addq    %rax, %r12
        call    smaller
        addq    %rax, %r12
        movl    $90, %edi
        call    descends
        addq    %rax, %r12
        call    framed
        addq    %rax, %r12
        call    spills
        addq    %rax, %r12
        movq    -8(%rsp), %rax          // what the return has popped
        leaq    2f(%rip), %rcx
        subq    %rcx, %rax
        addq    %rax, %r13
2:      call    skips                   // to one byte later, where the carry is read
        .byte   0xcc
        adcq    $0, %r12
        call    skips_through_register  // the same, but nobody sees it coming
        .byte   0xcc
        xorl    %eax, %eax
        leaq    3f(%rip), %rax
        call    jumps
        ud2
3:      call    names_r11
        addq    %rax, %r12
        call    steps                   // through plain jumps
        addq    %rax, %r12
        call    tail
        addq    %rax, %r12
        movl    $7, %edi
        movl    $5, %esi
        call    divides
        addq    %rax, %r12
        call    never_both
        addq    %rax, %r12
        decl    %ebx
        jnz     1b
        SHOW    %r11
        SHOW    %r12
        SHOW    %r13
        call    ends_with_flags
        FLAGS
        xorl    %eax, %eax
        call    pops_its_return
        SHOW    %rax
        END
#include "short_functions.h"
smaller:
        cmpq    $5, %rdi
        jl      1f
        call    next                    // which is no way back, but has one
        subq    $3, %rax
        ret
1:      movq    %rdi, %rax
        ret
descends:                               // down to 1 on two ways
        cmpl    $1, %edi
        jbe     1f
        pushq   %rdi
        shrl    $1, %edi
        call    descends
        xchgq   %rax, (%rsp)
        leal    -1(%rax), %edi
        shrl    $2, %edi
        call    descends
        addq    (%rsp), %rax
        addq    $8, %rsp
        ret
1:      movl    $5, %eax
        ret
spills: pushq   %rbx
        pushq   $7
        movq    %rdi, -16(%rsp)         // the red zone
        popq    %rbx
        movq    -24(%rsp), %rax
        addq    %rbx, %rax
        popq    %rbx
        ret
names_r11:
        movq    %r11, %rax
        addq    $1, %r11
        subq    $1, %r11
        ret
steps:  jmp     1f
        ud2
1:      movl    $2, %eax
        jmp     2f
        ud2
2:      ret
tail:   xorl    %eax, %eax
        jmp     next
divides:
        movl    %edi, %eax
        xorl    %edx, %edx
        divl    %esi
        addl    %edx, %eax
        ret
never_both:                             // forks, and forks again
        testb   $1, %bl
        jz      1f
        testb   $2, %bl
        jz      2f
        movl    $3, %eax
        ret
2:      movl    $1, %eax
        ret
1:      testb   $2, %bl
        jz      3f
        movl    $2, %eax
        ret
3:      testb   $4, %bl
        movl    $4, %eax
        jnz     4f
        xorl    %eax, %eax
4:      ret
ends_with_flags:
        cmpl    $-1, %ebx
        stc
        ret
pops_its_return:
        popq    %rcx
        incl    %eax
        pushq   %rcx
        ret
