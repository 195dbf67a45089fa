// Every form of indirect jump: through registers, memory, jump tables of addresses and of offsets.
#include "bare.h"
        .macro  THROUGH register
        leaq    1f(%rip), %\register
        jmp     *%\register
        ud2
1:      leaq    1(%rbp), %rbp
        .endm
        START
        xorl    %ebp, %ebp
        .irp    register, rax, rbx, rcx, rdx, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
        THROUGH \register
        .endr
        SHOW    %rbp
        xorl    %ebx, %ebx
next:   movl    %ebx, %eax
        andl    $3, %eax
        jmp     *table(, %rax, 8)
zero:   addq    $1, %rbp
        jmp     joined
one:    addq    $10, %rbp
        jmp     joined
two:    addq    $100, %rbp
        jmp     joined
three:  addq    $1000, %rbp
joined: leaq    offsets(%rip), %rdx             // as position-independent code does
        movslq  (%rdx, %rax, 4), %rcx
        addq    %rdx, %rcx
        jmp     *%rcx
a:      addq    $0x10000, %rbp
b:      addq    $0x100000, %rbp
c:      addq    $0x1000000, %rbp
d:      incl    %ebx
        cmpl    $37, %ebx
        jb      next
        SHOW    %rbp
        leaq    table(%rip), %r11
        leaq    last(%rip), %rax
        movq    %rax, 32(%r11)
        movl    $4, %ecx
        jmp     *(%r11, %rcx, 8)
        ud2
last:   leaq    1f(%rip), %rax
        pushq   %rax
        jmp     *(%rsp)
        ud2
1:      addq    $8, %rsp
        leaq    1f(%rip), %rax
        movq    %rax, -8(%rsp)                  // in the red zone
        jmp     *-8(%rsp)
        ud2
1:      jmp     *pointer(%rip)
        ud2
here:   {disp32} jmp 1f
        ud2
1:      jmp     1f
1:      SHOW    %rbp
        END
        .data
        .balign 8
table:  .quad   zero, one, two, three, 0
pointer: .quad  here
offsets: .long  a - offsets, b - offsets, c - offsets, d - offsets
