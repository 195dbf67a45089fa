// Tries: to have the kernel return to an address that is none: the entry point has bits that no address may have.
// Kernel: a return to an address that is not canonical faults, on some processors in the kernel itself.
// Stopped by: execve(2) refuses such an entry, when the old program is gone already (binfmt_elf.c, BAD_ADDR): SIGSEGV.
// Build: nolibc
// Run: -- => RE
  .globl _start
  .set _start, 0x8000000000000000
  .text
  mov $231, %eax
  xor %edi, %edi
  syscall
  .section .note.GNU-stack,"",@progbits
