// Tries: memory before its first instruction: an executable of a few hundred bytes with 64 GiB of zeros behind it.
// Kernel: execve(2) maps what a segment's size in memory says, and fails late, when the old program is gone.
// Stopped by: nothing that is not touched is memory; where the address space is limited execve fails, and the sentence says so.
// Build: nolibc
// Run: memory=32M -- => OK MLE
  .text
  .globl _start
_start:
  mov $231, %eax
  xor %edi, %edi
  syscall
  .bss
  .space 0x1000000000
  .section .note.GNU-stack,"",@progbits
