// The gs segment as a program's own: its base set and asked for by the system call, memory through it in every kind of instruction,
// its selector.
#include "bare.h"
        .macro  GS_BASE what, argument          // arch_prctl
        movl    $158, %eax
        movl    $\what, %edi
        movq    \argument, %rsi
        syscall
        .endm
        START
        leaq    asked(%rip), %rbx
        GS_BASE 0x1004, %rbx                    // ARCH_GET_GS
        SHOW    %rax
        SHOW    asked(%rip)
        leaq    data(%rip), %rbx
        GS_BASE 0x1001, %rbx                    // ARCH_SET_GS
        SHOW    %rax
        leaq    asked(%rip), %rbx
        GS_BASE 0x1004, %rbx
        leaq    data(%rip), %rax
        subq    %rax, asked(%rip)
        SHOW    asked(%rip)
        movabsq $0x800000000000, %rbx
        GS_BASE 0x1001, %rbx                    // not the program's
        SHOW    %rax
        GS_BASE 0x1004, $16                     // nor can this be written
        SHOW    %rax

        movq    %gs:0, %rax
        SHOW    %rax
        movl    $8, %ecx
        movq    %gs:(%rcx), %r8
        SHOW    %r8
        movq    %gs:8(%rcx, %rcx), %r9
        SHOW    %r9
        movb    $0x5a, %gs:1
        movabsq %gs:0, %rax
        SHOW    %rax
        stc
        adcq    $5, %gs:8
        FLAGS
        lock; incq %gs:8
        SHOW    data+8(%rip)
        movups  %gs:(%rcx), %xmm3
        movq    %xmm3, %rax
        SHOW    %rax
        pushq   %gs:16
        popq    %gs:24
        SHOW    data+24(%rip)
        leaq    %gs:77, %rax                    // an address has no segment
        SHOW    %rax
        xorl    %eax, %eax
        cmpq    %gs:(%rax), %rax
        FLAGS
        jb      1f
        ud2
1:      xorl    %esi, %esi
        gs; lodsq
        SHOW    %rax
        xorl    %esi, %esi
        leaq    copy(%rip), %rdi
        movl    $24, %ecx
        rep; movsb %gs:(%rsi), (%rdi)
        SHOW    %rcx
        SHOW    %rsi
        SHOW    copy+16(%rip)
        xorl    %esi, %esi
        leaq    copy(%rip), %rdi
        movl    $9, %ecx
        repe; cmpsb (%rdi), %gs:(%rsi)
        SHOW    %rcx
        xorl    %ebx, %ebx
        movb    $16, %al
        gs; xlatb
        SHOW    %rax
        xorl    %eax, %eax
        gs; nop
        gs; incl %eax
        gs; jmp 2f
        ud2
2:      gs; call add7
        call    *%gs:32
        movl    $32, %ebx
        call    *%gs:(%rbx)
        SHOW    %rax
        jmp     *%gs:40
        ud2
there:  SHOW    %rax

        movl    $-1, %eax
        movw    %gs, %ax
        SHOW    %rax
        movl    %gs, %eax
        SHOW    %rax
        pushq   %gs
        popq    %rcx
        SHOW    %rcx
        movl    $0x2b, %eax
        movl    %eax, %gs
        movl    %gs, %ecx
        SHOW    %rcx
        leaq    asked(%rip), %rbx
        GS_BASE 0x1004, %rbx
        SHOW    asked(%rip)
        movq    %gs:data, %rcx                  // of that segment the base is 0
        SHOW    %rcx
        movl    $39, %eax                       // getpid: the kernel keeps it
        syscall
        movl    %gs, %eax
        SHOW    %rax
        movw    %gs, selector(%rip)
        SHOW    selector(%rip)
        lgs     far_pointer(%rip), %eax
        SHOW    %rax
        movl    %gs, %eax
        SHOW    %rax
        pushq   $0x2b
        popq    %gs
        movl    %gs, %eax
        SHOW    %rax
        END
add7:   addq    $7, %rax
        ret
        .data
        .balign 16
data:   .quad   0x1122334455667788, 1000, 0x1616, 0x2424, add7, there
asked:  .quad   -1
copy:   .skip   32
selector: .quad -1
far_pointer: .long 0x12345678
        .word   0x2b, 0
