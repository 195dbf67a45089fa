// Prefixes that mean nothing or little, long nops, branch hints, endbr64, REX without effect, pauses, and the longest
// legal instruction, of 15 bytes.
#include "bare.h"
        START
        endbr64
        movl    $20, %ecx
1:      nop
        data16 nop
        nopl    (%rax)
        nopw    %cs:0x200(%rax, %rax, 1)
        pause
        .byte   0x66, 0x66, 0x66, 0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 2, 0, 0         // 14 bytes
        .byte   0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 2, 0, 0   // 15 bytes
        .byte   0x48, 0x40, 0xff, 0xc0          // REX.W, then REX: the last one counts
        .byte   0x40, 0x90
        .byte   0x3e, 0x48, 0x01, 0xc8          // ds: addq %rcx, %rax
        .byte   0x26, 0x48, 0x01, 0xc8
        .byte   0xf2, 0x48, 0x01, 0xc8          // repne, ignored
        cmpl    $10, %ecx
        .byte   0x2e, 0x74, 0x01                // hinted je over a byte
        nop
        .byte   0x3e, 0x7f, 0x00                // hinted jg to the next instruction
        .byte   0x48, 0xeb, 0x00                // jmp with REX.W
        .byte   0xf2, 0x75, 0x00                // bnd jne
        .byte   0x66, 0x66, 0x48, 0xe8, 2, 0, 0, 0  // call padded as before __tls_get_addr
        jmp     3f
        ret
3:
        decl    %ecx
        jnz     1b
        SHOW    %rax
        .byte   0x40, 0x0f, 0x94, 0xc4          // sete %spl: REX makes it so, not %ah
        andq    $-16, %rsp
        xorl    %eax, %eax
        .byte   0xf3, 0x0f, 0x1e, 0xfa          // endbr64 in the middle
        leaq    bytes(%rip), %rbx
        movb    $2, %al
        xlatb
        SHOW    %rax
        lfence
        END
        .data
bytes:  .byte   1, 2, 77
