// Tries: to begin in code of the kernel's that every program has: the entry point is the vsyscall page's gettimeofday.
// Kernel: a jump there is a fault that the kernel answers itself, by a call and a return to what stands on the stack: argc.
// Stopped by: execve refuses such an entry, when the old program is gone already; the program ends by SIGSEGV.
// Build: nolibc
// Run: -- => RE
  .globl _start
  .set _start, 0xffffffffff600000
  .text
  mov $231, %eax
  xor %edi, %edi
  syscall
  .section .note.GNU-stack,"",@progbits
