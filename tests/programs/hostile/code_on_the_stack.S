// Tries: to be executed where a judge expects no code: it asks for a stack that may be executed, and makes its code there, another one
//   in the same place each time.
// Kernel: an executable whose PT_GNU_STACK says so gets such a stack.
// Stopped by: nothing needs stopping; the stack's code is translated like any other.
// Build: nolibc
// Run: same -- => OK
  .text
  .globl _start
_start:
  xor %r12d, %r12d
  mov $200, %ebx
1: mov $0xb8, %eax
  push %rax
  movb %bl, 1(%rsp)              // mov $ebx, %eax; ret
  movb $0xc3, 5(%rsp)
  mov %rsp, %rcx
  call *%rcx
  add %eax, %r12d
  add $8, %rsp
  dec %ebx
  jnz 1b
  cmp $20100, %r12d
  setne %dil
  movzbl %dil, %edi
  mov $231, %eax
  syscall
  .section .note.GNU-stack,"x",@progbits
