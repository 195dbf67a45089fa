// String instructions: rep movs, stos, lods, cmps and scas of every width, with counts 0, 1 and more, in both
// directions, stopped by the count and by the comparison; one rep instruction is one, however long.
#include "bare.h"
        .macro  COPY instruction, count, from, to
        leaq    \from(%rip), %rsi
        leaq    \to(%rip), %rdi
        movl    $\count, %ecx
        stc
        rep \instruction
        adcl    $0, %ecx
        SHOW    %rcx
        subq    %r14, %rsi
        subq    %r14, %rdi
        SHOW    %rsi
        SHOW    %rdi
        .endm
        .macro  COMPARE instruction, count, from, to
        leaq    \from(%rip), %rsi
        leaq    \to(%rip), %rdi
        movl    $\count, %ecx
        xorl    %eax, %eax
        \instruction
        FLAGS
        SHOW    %rcx
        .endm
        START
        leaq    text(%rip), %r14
        movl    $'x', %eax
        .irp    count, 0, 1, 2, 3, 64, 1000
        COPY    movsb, \count, text, place
        .endr
        COPY    movsw, 7, text, place
        COPY    movsl, 9, text, place
        COPY    movsq, 33, text, place
        COPY    stosb, 0, text, place
        COPY    stosb, 1, text, place
        COPY    stosb, 700, text, place
        COPY    stosw, 5, text, place
        COPY    stosl, 6, text, place
        COPY    stosq, 100, text, place
        COPY    lodsb, 3, text, place
        COPY    lodsq, 2, text, place
        SHOW    %rax
        std
        COPY    movsb, 5, text + 10, place + 20
        COPY    stosl, 5, text + 10, place + 40
        COPY    movsq, 3, text + 30, place + 30         // overlapping nothing
        cld
        COPY    movsb, 20, place, place + 1             // overlapping: one byte is repeated
        .irp    count, 0, 1, 5, 26, 60
        COMPARE "repe cmpsb", \count, text, same
        .endr
        COMPARE "repne cmpsb", 20, text, other
        COMPARE "repe cmpsl", 5, text, same
        COMPARE "repe cmpsq", 5, text, same
        COMPARE "repne scasb", 40, text, text
        COMPARE "repe scasb", 40, text, zeros
        COMPARE "repne scasw", 9, text, zeros
        COMPARE "repe scasq", 4, text, zeros
        COMPARE "repne scasb", 0, text, text
        // Without a prefix, and with one that means nothing.
        leaq    text(%rip), %rsi
        leaq    place(%rip), %rdi
        movsb
        stosb
        lodsb
        cmpsb
        FLAGS
        scasb
        FLAGS
        movsq
        SHOW    %rax
        // In a loop of its own.
        movl    $30, %ebx
1:      leaq    place(%rip), %rdi
        movl    %ebx, %ecx
        rep stosb
        decl    %ebx
        jnz     1b
        subq    %r14, %rdi
        SHOW    %rdi
        // 32-bit addresses and counts.
        movl    $place, %edi
        movabsq $0x100000004, %rcx
        addr32 rep stosb
        SHOW    %rcx
        leaq    place(%rip), %rsi
        xorl    %ecx, %ecx
        xorl    %eax, %eax
1:      roll    $5, %eax
        xorb    (%rsi, %rcx), %al
        incl    %ecx
        cmpl    $1024, %ecx
        jb      1b
        SHOW    %rax
        END
        .data
        .balign 16
text:   .ascii  "abcdefghijklmnopqrstuvwxyz0123456789"
        .byte   0
        .skip   1000, 'q'
same:   .ascii  "abcdefghijklmnopqrstuvwxyz!"
        .skip   64
other:  .ascii  "zyxwvutsrqponmlkjihgfedcba"
        .skip   64
zeros:  .skip   64
        .skip   64
place:  .skip   2048
