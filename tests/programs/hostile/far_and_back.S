// Tries: to leave the code that a judge has made: far jumps, calls and returns to its own code segment and to others, iret to itself.
// Kernel: of the segments in its table a program may use __USER_CS, __USER32_CS and __USER_DS; the others are a fault.
// Stopped by: far transfers are executed one at a time, and 32-bit code is a rule violation (guest_single_step.cc).
// Build: nolibc
// Run: same -- => OK
        .text
        .globl  _start
_start: // a far return to the next line, in the same segment
        pushq   $0x33
        leaq    1f(%rip), %rax
        pushq   %rax
        lretq
1:      // a far call through memory and a far return from it
        leaq    there(%rip), %rax
        movl    %eax, target(%rip)
        movw    $0x33, target+4(%rip)
        lcall   *target(%rip)
        // a far jump
        leaq    2f(%rip), %rax
        movl    %eax, target(%rip)
        ljmp    *target(%rip)
2:      // iret: stack segment, stack, flags, code segment, address
        movq    %rsp, %rcx
        pushq   $0x2b
        pushq   %rcx
        pushfq
        pushq   $0x33
        leaq    3f(%rip), %rax
        pushq   %rax
        iretq
3:      movl    $1, %eax
        movl    $1, %edi
        leaq    text(%rip), %rsi
        movl    $5, %edx
        syscall
        movl    $231, %eax
        xorl    %edi, %edi
        syscall
there:  lret
        .data
text:   .ascii  "back\n"
        .balign 8
target: .quad   0
