// Tries: to begin in the kernel: the entry point is where the kernel's own code lies.
// Kernel: it returns to user mode wherever an ELF file says, and such a return must not be the fast one (sysret).
// Stopped by: execve(2) refuses such an entry, when the old program is gone already (binfmt_elf.c, BAD_ADDR): SIGSEGV.
// Build: nolibc
// Run: -- => RE
  .globl _start
  .set _start, 0xffffffff81000000
  .text
  mov $231, %eax
  xor %edi, %edi
  syscall
  .section .note.GNU-stack,"",@progbits
