// Tries: segments and ports of its own: an LDT entry with a call gate's bits, a TLS entry for 16-bit code, all I/O ports.
// Kernel: modify_ldt(2) and set_thread_area(2) write descriptor tables that the processor believes; iopl(2) lets cli and out
//   through.
// Stopped by: the calls are rule violations, or unknown to a 64-bit kernel.
// Run: -- ldt => RV
// Run: -- iopl => RV
// Run: -- ioperm => RV
// Run: -- tls => OK RV
// Run: -- out => RE
// Run: -- cli => RE
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "tls";
  unsigned int entry[4] = {12, 0, 0xfffff, 0x7f};
  if (strcmp(how, "ldt") == 0) syscall(SYS_modify_ldt, 0x11, entry, sizeof entry);
  if (strcmp(how, "iopl") == 0) syscall(SYS_iopl, 3);
  if (strcmp(how, "ioperm") == 0) syscall(SYS_ioperm, 0, 65536, 1);
  if (strcmp(how, "tls") == 0) syscall(SYS_set_thread_area, entry);
  if (strcmp(how, "out") == 0) __asm__ volatile("mov $0x3f8, %%dx\n\tout %%al, %%dx" : : : "dx");
  if (strcmp(how, "cli") == 0) __asm__ volatile("cli");
  return 0;
}
