// Tries: to hang the judge before the first instruction: the entry point is in the page at 0.
// Kernel: execve(2) jumps wherever an ELF file says.
// Stopped by: the first instruction faults, which ends the program.
// Build: nolibc
// Run: -- => RE RV
  .globl _start
  .set _start, 0x10
  .text
  mov $231, %eax
  xor %edi, %edi
  syscall
  .section .note.GNU-stack,"",@progbits
