// Tries: each of a processor's other ways into the kernel: sysenter, int 0x80 with the high halves of all registers set, the
//   interrupts 3, 4, 0x82 and 0xff, a far call through a gate, hlt.
// Kernel: int 0x80 is a system call with 32-bit numbers; all others fault, or trap.
// Stopped by: int 0x80 is a rule violation (in translation before it is made), or a fault on kernels without it; the rest are signals of the program's.
// Build: nolibc
// Run: -- a => RV RE
// Run: -- b => RV RE
// Run: -- c => RE
// Run: -- d => RE RV
// Run: -- e => RE
// Run: -- f => RE
// Run: -- g => RE RV
// Run: -- h => RE
// Run: -- i => RE
// Run: -- j => RV RE
  .text
  .globl _start
_start:
  mov 16(%rsp), %rsi
  movzbl (%rsi), %eax
  sub $97, %eax
  cmp $10, %eax
  jae 9f
  lea table(%rip), %rdx
  jmp *(%rdx,%rax,8)
1: mov %rsp, %rbp
  mov $20, %eax
  sysenter
  jmp 9f
2: mov $0xffffffff00000002, %rax
  mov %rax, %rbx
  mov %rax, %rcx
  mov %rax, %rdx
  int $0x80
  jmp 9f
3: int3
  jmp 9f
4: int $4
  jmp 9f
5: int $0x82
  jmp 9f
6: int $0xff
  jmp 9f
7: lcall *gate(%rip)
  jmp 9f
8: hlt
  jmp 9f
10: mov %cr3, %rax
  jmp 9f
11: mov $0x40000027, %eax
  syscall
9: mov $231, %eax
  xor %edi, %edi
  syscall
  .data
table: .quad 1b, 2b, 3b, 4b, 5b, 6b, 7b, 8b, 10b, 11b
gate: .long 0
  .word 0x0007
  .section .note.GNU-stack,"",@progbits
