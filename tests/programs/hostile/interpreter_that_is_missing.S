// Tries: to hang or fail the judge before the first instruction: the executable names an interpreter that no sandbox has.
// Kernel: execve(2) opens the interpreter that the file names, and fails with ENOENT for a file that is there.
// Stopped by: an execve that fails is told as such; no instruction was executed.
// Build: nolibc
// Run: -- => CE
  .section .interp,"a",@progbits
  .asciz "/nowhere/ld.so"
  .text
  .globl _start
_start:
  mov $231, %eax
  xor %edi, %edi
  syscall
  .section .note.GNU-stack,"",@progbits
