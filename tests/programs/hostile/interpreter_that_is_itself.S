// Tries: to have the kernel load it twice, over itself: the executable is its own interpreter.
// Kernel: the interpreter of an ELF file is loaded as it stands, without one of its own, over what lies in its place.
// Stopped by: it simply works; under reduced isolation the program has another path, and the interpreter is missing.
// Build: nolibc
// Run: only=full -- => OK
// Run: only=reduced -- => CE
  .section .interp,"a",@progbits
  .asciz "/box/program"
  .text
  .globl _start
_start:
  mov $231, %eax
  xor %edi, %edi
  syscall
  .section .note.GNU-stack,"",@progbits
