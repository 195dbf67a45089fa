// Tries: to hang or fail the judge before the first instruction: the executable's interpreter is an endless device.
// Kernel: execve(2) refuses an interpreter that is no regular file, after it has looked at the program itself.
// Stopped by: an execve that fails is told as such; no instruction was executed.
// Build: nolibc
// Run: -- => CE
  .section .interp,"a",@progbits
  .asciz "/dev/zero"
  .text
  .globl _start
_start:
  mov $231, %eax
  xor %edi, %edi
  syscall
  .section .note.GNU-stack,"",@progbits
