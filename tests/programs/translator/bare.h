// What the assembly programs here share: they have no libc, so that their counts are small and their own.
// SHOW and FLAGS append a line to a buffer and change no register and no flag, so they can stand anywhere (they
// do use the stack). Flags are read by lahf and seto: a pushf that is single-stepped shows the tracer's trap flag.
#pragma once

#define ARITHMETIC 0x8d5  // CF PF AF ZF SF OF
#define LOGIC 0x8c5       // the same without AF, which and, or, xor and test leave undefined

        .macro  START
        .text
        .globl  _start
_start:
        .endm

// One line: a 64-bit register, memory that is not relative to rsp, or $number, as 16 hexadecimal digits.
        .macro  SHOW operand
        pushq   \operand
        call    bare_show
        .endm

// One line: those flags that are in `mask`.
        .macro  FLAGS mask=ARITHMETIC
        pushq   $\mask
        call    bare_flags
        .endm

// Writes all lines at once, as a fault that follows would lose them.
        .macro  WRITE
        call    bare_write
        .endm

        .macro  END
        call    bare_write
        movl    $1, %eax
        movl    $1, %edi
        leaq    bare_end(%rip), %rsi
        movl    $4, %edx
        syscall
        movl    $231, %eax
        xorl    %edi, %edi
        syscall
        .endm

        .text
bare_flags:
        pushq   %rax
        pushq   %rdx
        lahf
        seto    %al
        pushq   %rax
        movzbl  %al, %edx
        shll    $11, %edx
        movzbl  %ah, %eax
        orl     %edx, %eax
        andq    32(%rsp), %rax
        pushq   %rax
        call    bare_show
        popq    %rax
        addb    $0x7f, %al
        sahf
        popq    %rdx
        popq    %rax
        ret     $8

bare_show:
        pushq   %rax
        pushq   %rcx
        pushq   %rdx
        pushq   %rdi
        lahf
        seto    %al
        pushq   %rax
        movq    48(%rsp), %rax
        movq    bare_at(%rip), %rdi
        movl    $16, %ecx
1:      rolq    $4, %rax
        movl    %eax, %edx
        andl    $15, %edx
        addl    $'0', %edx
        cmpl    $'9', %edx
        jbe     2f
        addl    $'a' - '0' - 10, %edx
2:      movb    %dl, (%rdi)
        incq    %rdi
        decl    %ecx
        jnz     1b
        movb    $'\n', (%rdi)
        incq    %rdi
        movq    %rdi, bare_at(%rip)
        popq    %rax
        addb    $0x7f, %al
        sahf
        popq    %rdi
        popq    %rdx
        popq    %rcx
        popq    %rax
        ret     $8

bare_write:
        movl    $1, %eax
        movl    $1, %edi
        leaq    bare_lines(%rip), %rsi
        movq    bare_at(%rip), %rdx
        movq    %rsi, bare_at(%rip)
        subq    %rsi, %rdx
        syscall
        ret

        .data
        .balign 8
bare_at: .quad  bare_lines
        .bss
        .balign 64
bare_lines: .skip 32768
        .section .rodata
bare_end: .ascii "END\n"
        .section .note.GNU-stack, "", @progbits
        .text
