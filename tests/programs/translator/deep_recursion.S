// Calls nested deeper than any table of return addresses: 3,000 levels down and up, and two functions that call
// each other through pointers.
#include "bare.h"
        START
        movl    $3000, %edi
        call    down
        SHOW    %rax
        movl    $600, %edi
        xorl    %eax, %eax
        call    *ping_address(%rip)
        SHOW    %rax
        END
down:   testl   %edi, %edi
        jz      1f
        pushq   %rdi
        decl    %edi
        call    down
        popq    %rdi
        addq    %rdi, %rax
        ret
1:      xorl    %eax, %eax
        ret
ping:   decl    %edi
        js      1f
        call    *pong_address(%rip)
1:      addq    $1, %rax
        ret
pong:   decl    %edi
        js      1f
        leaq    ping(%rip), %rcx
        call    *%rcx
1:      addq    $1000, %rax
        ret
        .data
ping_address: .quad ping
pong_address: .quad pong
