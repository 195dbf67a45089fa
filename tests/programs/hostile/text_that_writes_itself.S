// Tries: to have what was there executed: code in a section that may be written from the start, which changes the instruction it comes to
//   next, itself, and a loop that it is in.
// Kernel: an ELF segment has the rights its header says, all of them included.
// Stopped by: a page of code that is written to is translated anew.
// Build: nolibc
// Run: same -- => OK
  .section .all,"awx",@progbits
  .globl _start
_start:
  movb $0x90, 1f(%rip)
  movb $0x90, 1f+1(%rip)
1: ud2
  xor %ebx, %ebx
2: incb 3f+1(%rip)
3: mov $0, %ecx
  add %ecx, %ebx
  cmp $100, %ecx
  jb 2b
  cmp $5050, %ebx
  jne 9f
  lea 5f(%rip), %rdi
  mov $0x90, %al
  mov $3, %ecx
  rep stosb
5: ud2
  .byte 0xcc
  mov $1, %eax
  mov $1, %edi
  lea text(%rip), %rsi
  mov $5, %edx
  syscall
  xor %edi, %edi
9: mov $231, %eax
  syscall
text: .ascii "sum.\n"
  .section .note.GNU-stack,"",@progbits
