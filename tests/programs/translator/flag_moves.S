// Flags as a value: lahf, sahf, pushf, popf, the direction and carry instructions, and the alignment and identity
// flags, which a program may set too. (pushf shows a tracer's trap flag when it is single-stepped: masked.)
#include "bare.h"
        START
        movl    $30, %ebx
1:      movl    %ebx, %eax
        imull   $0x11235813, %eax
        movl    %eax, %edx
        addl    %eax, %edx
        pushfq
        popq    %rcx
        andl    $ARITHMETIC, %ecx
        SHOW    %rcx
        movl    %ebx, %eax
        shll    $8, %eax
        sahf
        FLAGS   0xd5
        lahf
        SHOW    %rax
        cmc
        sbbl    %edx, %edx
        SHOW    %rdx
        decl    %ebx
        jnz     1b
        xorl    %ebx, %ebx
2:      movl    %ebx, %eax                      // all six through popf
        movl    %ebx, %ecx
        shll    $6, %ecx
        orl     %ecx, %eax
        andl    $ARITHMETIC, %eax
        orl     $0x202, %eax
        pushq   %rax
        popfq
        FLAGS
        jo      3f
        ja      4f
        js      5f
        stc
3:      adcl    $3, %edi
4:      adcl    $5, %edi
5:      clc
        pushfw
        popw    %dx
        testw   $1, %dx
        jnz     bad
        addl    $13, %ebx
        cmpl    $0x200, %ebx
        jb      2b
        SHOW    %rdi
        std
        pushfq
        popq    %rax
        andl    $0x400, %eax
        SHOW    %rax
        cld
        pushfq
        popq    %rax
        andl    $0x400, %eax
        SHOW    %rax
        pushq   $0x200202                       // the identity flag
        popfq
        pushfq
        popq    %rax
        andl    $0x200000, %eax
        SHOW    %rax
        pushq   $0x40202                        // alignment check: stays set over aligned accesses
        popfq
        pushq   $5
        popq    %rcx
        pushfq
        popq    %rax
        andl    $0x40000, %eax
        SHOW    %rax
        pushq   $0x202
        popfq
        END
bad:    ud2
