// Tries: to hang the judge before the first instruction: the program's entry point lies in memory that cannot be executed.
// Kernel: execve(2) looks at no rights of the page that an ELF file names as its entry; the first instruction faults.
// Stopped by: the fault ends the program; a call of ours that faults there ends the run (tracing/injection.h).
// Build: nolibc
// Run: -- => RE RV
  .data
  .globl _start
_start:
  mov $60, %eax
  xor %edi, %edi
  syscall
  .section .note.GNU-stack,"",@progbits
