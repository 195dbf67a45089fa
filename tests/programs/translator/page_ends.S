// Code at the ends of pages: blocks that stop with the page, instructions and prefixes that lie over two pages,
// jumps and calls whose fall through is in the next page.
#include "bare.h"
        START
        movl    $10, %ebx
        xorl    %eax, %eax
again:  call    last_in_page
        call    straddles
        call    jumps_at_end
        call    calls_at_end
        call    loop_over_pages
        decl    %ebx
        jnz     again
        SHOW    %rax
        END

        .balign 4096
        .skip   4090, 0x90
last_in_page:
        addq    $5, %rax                        // 4 bytes
        nop
        ret                                     // the last byte of the page
        .skip   4090, 0xcc
straddles:
        movabsq $0x123456789, %rcx              // 10 bytes over the page's end
        addq    %rcx, %rax
        ret
        .balign 4096
        .skip   4090, 0xcc
jumps_at_end:
        testl   $1, %ebx
        jz      1f                              // 2 bytes, then the next page
        addq    $0x70, %rax
1:      addq    $7, %rax
        ret
        .balign 4096
        .skip   4089, 0xcc
calls_at_end:
        pushq   %rcx
        nop
        call    callee                          // returns to the first byte of the next page
        popq    %rcx
        ret
callee: addq    $11, %rax
        ret
        .balign 4096
        .skip   4091, 0xcc
loop_over_pages:
        movl    $5, %ecx
1:      addq    $3, %rax
        .byte   0x66, 0x66, 0x66, 0x90
        decl    %ecx
        jnz     1b
        ret
