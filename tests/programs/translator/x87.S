// x87: the register stack, its control and status words, comparisons that set flags, and constants; the stack is
// live over jumps, calls and system calls.
#include "bare.h"
        START
        fninit
        fld1
        fldpi
        fmulp
        fsqrt
        call    doubled
        fstpl   value(%rip)
        movq    value(%rip), %rax
        SHOW    %rax
        fldl    value(%rip)
        fldz
        fcomi   %st(1), %st
        FLAGS
        fucomip %st(1), %st
        jb      1f
        ud2
1:      fldl2e
        fxch
        movl    $39, %eax               // getpid: the stack survives a system call
        syscall
        fsubrp
        fstpt   value(%rip)
        movq    value(%rip), %rax
        SHOW    %rax
        movzwl  value + 8(%rip), %eax
        SHOW    %rax
        fildl   number(%rip)
        fnstcw  control(%rip)
        movzwl  control(%rip), %eax
        SHOW    %rax
        orw     $0xc00, control(%rip)   // round towards zero
        fldcw   control(%rip)
        fldln2
        faddp
        fistpq  value(%rip)
        movq    value(%rip), %rax
        SHOW    %rax
        fld1
        fldz
        fdivrp
        fnstsw  %ax
        andl    $0x3f, %eax
        SHOW    %rax
        ffree   %st
        fldpi
        fsincos
        fstp    %st
        fstps   value(%rip)
        movl    value(%rip), %eax
        SHOW    %rax
        movl    $20, %ecx               // a loop on the stack
        fld1
        fldl2t
1:      fmul    %st(1), %st
        fld     %st
        faddp   %st, %st(2)
        fchs
        decl    %ecx
        jnz     1b
        fstpt   value(%rip)
        movq    value(%rip), %rax
        SHOW    %rax
        emms
        END
doubled: fadd   %st, %st
        ret
        .data
        .balign 16
value:  .skip   16
number: .long   -1234567
control: .word  0
