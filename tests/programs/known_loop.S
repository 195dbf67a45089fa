// A loop of N iterations (argv[1], a decimal number of D digits, N >= 1), then END.
// Exactly 13 + 6 * D + 2 * N instructions, 2 system calls; without argv[1] N is 1000 and the count is 2012.
// Nothing here depends on addresses, the environment or the processor, so the count is the same everywhere.
// Tally: OK; TLE under an instruction limit below the count (at the count itself OK), or under a CPU time
// limit with a large N.
        .globl _start
        .text
_start:
        movq    16(%rsp), %rsi          // argv[1]
        movl    $1000, %ecx
        testq   %rsi, %rsi
        jz      loop                    // 4 instructions to here
        xorl    %ecx, %ecx              // 5
digit:                                  // 6 for each digit
        movzbl  (%rsi), %eax
        leaq    (%rcx, %rcx, 4), %rcx
        leaq    -48(%rax, %rcx, 2), %rcx
        incq    %rsi
        cmpb    $0, (%rsi)
        jne     digit
loop:                                   // 2 for each iteration
        decq    %rcx
        jnz     loop
        movl    $1, %eax                // 5: write(1, end, 4)
        movl    $1, %edi
        movl    $end, %esi
        movl    $4, %edx
        syscall
        movl    $231, %eax              // 3: exit_group(0)
        xorl    %edi, %edi
        syscall
        .section .rodata
end:    .ascii  "END\n"
        .section .note.GNU-stack, "", @progbits
