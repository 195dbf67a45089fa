// Far jumps, calls and returns within the program's own code segment, and the other segment registers. Not those through
// 80 bits of memory: AMD's processors have none.
#include "bare.h"
        START
        movl    %cs, %eax
        SHOW    %rax
        movw    %ax, jump_to+4(%rip)
        movw    %ax, narrow+4(%rip)
        movw    %ax, narrow_call+4(%rip)
        xorl    %ebx, %ebx
        stc
        ljmp    *jump_to(%rip)
        ud2
one:    FLAGS
        incl    %ebx
        leaq    narrow(%rip), %rcx
        ljmp    *(%rcx)
        ud2
two:    SHOW    %rbx
        movl    $0, stack_low+4088
        movq    %rsp, %r12
        leaq    stack_low+4096(%rip), %rsp      // a return address of 32 bits leads below 4 GiB only
        lcall   *narrow_call(%rip)
back:   leaq    stack_low+4096(%rip), %rcx
        subq    %rsp, %rcx
        movq    %r12, %rsp
        SHOW    %rcx
        SHOW    %rbx
        pushq   %rax                            // to be dropped
        pushq   %rax
        movl    %cs, %eax
        pushq   %rax
        leaq    2f(%rip), %rax
        pushq   %rax
        lretq   $16
        ud2
2:      SHOW    %rbx
        subq    $8, %rsp
        movw    %cs, 4(%rsp)
        movl    $3f, (%rsp)
        lret
        ud2
3:      incl    %ebx
        SHOW    %rbx
        movq    %rsp, %rdx
        movl    %ss, %eax
        pushq   %rax
        pushq   %rdx
        pushq   $0xad7                          // all flags of arithmetic, and the direction
        movl    %cs, %eax
        pushq   %rax
        leaq    4f(%rip), %rax
        pushq   %rax
        iretq
        ud2
4:      FLAGS
        leaq    numbers+8(%rip), %rsi
        lodsq
        lodsq
        cld
        SHOW    %rax
        subq    %rsp, %rdx
        SHOW    %rdx

        xorl    %eax, %eax
        movl    %eax, %ds
        movl    %eax, %es
        movl    numbers, %ecx
        SHOW    %rcx
        movl    $0x2b, %eax
        movl    %eax, %ds
        pushq   $0x2b
        popq    %fs
        movl    %fs, %ecx
        SHOW    %rcx
        movl    %ds, %ecx
        SHOW    %rcx
        movl    %es, %ecx
        SHOW    %rcx
        movl    $39, %eax
        syscall
        movl    %fs, %ecx
        SHOW    %rcx
        lfs     nothing(%rip), %ecx
        SHOW    %rcx
        lss     stack(%rip), %ecx
        SHOW    %rcx
        END
narrow_target:
        addl    $0x1000, %ebx
        lret
        .data
        .balign 16
jump_to: .long  one, 0
narrow: .long   two, 0
narrow_call: .long narrow_target, 0
numbers: .quad  5, 6
nothing: .long  0x11223344, 0
stack:  .long   0x55667788, 0x2b
        .bss
        .balign 4096
stack_low: .skip 4096
