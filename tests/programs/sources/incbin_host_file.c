// Puts a host file into the program by the assembler (.incbin needs no #include), and prints it when run.
// CE where the sandbox has no such file; where it has, its content is the sandbox's and not the host's.
#include <stdio.h>
__asm__(".section .rodata\nstolen: .incbin \"/etc/shadow\"\n.byte 0\n.text\n");
extern const char stolen[];
int main(void) { return puts(stolen) < 0; }
