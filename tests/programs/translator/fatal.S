// Programs that end by a fault, one for each -DFAULT_...: in the middle of a straight run of instructions, after
// some that changed registers and memory, so that the count at the end says how far it came.
#include "bare.h"
#ifndef SIGNAL
#define SIGNAL 9
#endif
        START
        movl    $40, %ecx
        xorl    %eax, %eax
1:      addl    %ecx, %eax
        loop    1b
        SHOW    %rax
        WRITE
        xorl    %eax, %eax
        xorl    %edx, %edx
        leaq    one_page(%rip), %rsi            // all but its own page is unmapped or read-only behind it
        incq    %rax
        incq    %rdx
#if defined(FAULT_ud2)
        ud2
#elif defined(FAULT_int3)
        int3
#elif defined(FAULT_int1)
        .byte   0xf1
#elif defined(FAULT_hlt)
        hlt
#elif defined(FAULT_divide)
        divl    zero(%rip)
#elif defined(FAULT_divide_overflow)
        movl    $0x7fffffff, %edx
        movl    $2, %ebx
        divl    %ebx
#elif defined(FAULT_load)
        movq    16, %rbx
#elif defined(FAULT_store)
        movq    %rax, constant(%rip)            // read-only
#elif defined(FAULT_modify)
        addq    %rax, constant(%rip)
#elif defined(FAULT_noncanonical)
        movabsq $0x8000000000000000, %rbx
        movq    (%rbx), %rax
#elif defined(FAULT_jump_null)
        xorl    %ebx, %ebx
        jmp     *%rbx
#elif defined(FAULT_jump_noncanonical)
        movabsq $0x8000000000000000, %rbx
        jmp     *%rbx
#elif defined(FAULT_jump_direct)
        jmp     _start + 0x1000000
#elif defined(FAULT_jump_data)
        leaq    constant(%rip), %rbx            // mapped, not executable
        jmp     *%rbx
#elif defined(FAULT_jump_memory)
        jmp     *16
#elif defined(FAULT_call_null)
        xorl    %ebx, %ebx
        call    *%rbx
#elif defined(FAULT_call_noncanonical)
        movabsq $0x7fffffffffffffff, %rbx
        addq    $1, %rbx
        call    *%rbx
#elif defined(FAULT_call_memory)
        call    *16
#elif defined(FAULT_call_direct)
        call    _start + 0x1000000
#elif defined(FAULT_push)
        movl    $4096, %esp
        pushq   %rax
#elif defined(FAULT_pop)
        movl    $4096, %esp
        popq    %rax
#elif defined(FAULT_call_push)
        movl    $4096, %esp
        call    2f
2:      nop
#elif defined(FAULT_call_register_push)
        leaq    2f(%rip), %rbx
        movl    $4096, %esp
        call    *%rbx
2:      nop
#elif defined(FAULT_call_readonly_stack)
        leaq    constant + 64(%rip), %rsp
        call    2f
2:      nop
#elif defined(FAULT_ret)
        movl    $4096, %esp
        ret
#elif defined(FAULT_ret_noncanonical)
        movabsq $0x8000000000000000, %rbx
        pushq   %rbx
        ret
#elif defined(FAULT_ret_null)
        pushq   $0
        ret     $8
#elif defined(FAULT_leave)
        movl    $4096, %ebp
        leave
#elif defined(FAULT_rep_movs)
        leaq    one_page(%rip), %rdi            // runs over the end of the bss
        leaq    constant(%rip), %rsi
        movl    $0x10000000, %ecx
        rep movsb
#elif defined(FAULT_rep_stos)
        leaq    one_page(%rip), %rdi
        movl    $0x10000000, %ecx
        rep stosq
#elif defined(FAULT_repe_cmps)
        leaq    one_page(%rip), %rdi
        movq    %rdi, %rsi
        movl    $0x10000000, %ecx
        repe cmpsb
#elif defined(FAULT_push_memory)
        pushq   16
#elif defined(FAULT_pop_memory)
        popq    16
#elif defined(FAULT_vector)
        movaps  one_page + 4(%rip), %xmm0       // not aligned
#elif defined(FAULT_alignment_check)
        pushq   $0x40202
        popfq
        movl    one_page + 1(%rip), %ebx
#elif defined(FAULT_privileged)
        movq    %cr0, %rbx
#elif defined(FAULT_swapgs)
        swapgs
#elif defined(FAULT_port)
        inb     $0x80, %al
#elif defined(FAULT_no_interrupts)
        cli
#elif defined(FAULT_load_table)
        lgdt    constant(%rip)
#elif defined(FAULT_sysret)
        sysretq
#elif defined(FAULT_interrupt_4)
        int     $4
#elif defined(FAULT_interrupt_3)
        .byte   0xcd, 3
#elif defined(FAULT_bad_selector)
        movl    $0x1234, %ebx
        movl    %ebx, %ds
#elif defined(FAULT_kernel_selector)
        movl    $0x18, %ebx
        movl    %ebx, %gs
#elif defined(FAULT_null_stack_segment)
        xorl    %ebx, %ebx
        movl    %ebx, %ss
#elif defined(FAULT_to_code_segment)
        movl    $0x33, %ebx
        .byte   0x8e, 0xcb                      // mov %ebx, %cs: there is no such
#elif defined(FAULT_gs_load)
        movq    %gs:16, %rbx
#elif defined(FAULT_gs_rep)
        xorl    %esi, %esi
        leaq    one_page(%rip), %rdi
        movl    $8, %ecx
        rep;    movsb %gs:(%rsi), (%rdi)
#elif defined(FAULT_gs_call)
        call    *%gs:16
#elif defined(FAULT_gs_noncanonical)
        movabsq $0x8000000000000000, %rbx
        movq    %gs:(%rbx), %rax
#elif defined(FAULT_far_null)
        pushq   $0
        pushq   $0x1000
        lretq
#elif defined(FAULT_far_unmapped)
        pushq   $0x33
        pushq   $16
        lretq
#elif defined(FAULT_far_memory)
        ljmp    *16
#elif defined(FAULT_far_kernel)
        pushq   $0x10
        pushq   $_start
        lretq
#elif defined(FAULT_iret)
        movl    $4096, %esp
        iretq
#elif defined(FAULT_jump_kernel)
        movq    $-0x1000000, %rbx               // an address, but not the program's
        jmp     *%rbx
#elif defined(FAULT_ret_kernel)
        pushq   $-0x1000000
        ret
#elif defined(FAULT_xbegin)
        xbegin  3f
3:      nop
#elif defined(FAULT_xtest)
        xtest
#elif defined(FAULT_xabort)
        xabort  $1
#elif defined(FAULT_bad_opcode)
        .byte   0x06                            // push %es: gone in 64-bit mode
#elif defined(FAULT_bad_lock)
        .byte   0xf0, 0x01, 0xc0                // lock addl %eax, %eax
#elif defined(FAULT_too_long)
        .fill   15, 1, 0x66
        nop
#elif defined(FAULT_page_end)
        jmp     2f                              // the next page is not there
        .section .last, "ax", @progbits
        .balign 4096
        .skip   4094, 0x90
2:      incl    %ebx
#elif defined(FAULT_page_end_middle)
        jmp     2f                              // an instruction that begins here and would end there
        .section .last, "ax", @progbits
        .balign 4096
        .skip   4092, 0x90
2:      incl    %ebx
        .byte   0x48, 0xb8
#elif defined(FAULT_kill)
        movl    $39, %eax
        syscall
        movl    %eax, %edi
        movl    $SIGNAL, %esi
        movl    $62, %eax                       // kill(getpid(), SIGNAL)
        syscall
#elif defined(FAULT_exit_7)
        movl    $7, %edi                        // not a fault: exit(7)
        movl    $60, %eax
        syscall
#elif defined(FAULT_flags_live)
        cmpl    $1, %eax                        // flags live over the faulting instruction
        movq    16, %rbx
        jne     1b
#else
#error "no fault"
#endif
        .text
        incq    %rax
        incq    %rdx
        ud2
        .section .rodata
        .balign 64
constant: .skip 128, 0x77
zero:   .quad   0
        .bss
        .balign 4096
one_page: .skip 4096
