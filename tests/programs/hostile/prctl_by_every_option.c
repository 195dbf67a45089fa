// Tries: every option of prctl(2) and arch_prctl(2), in their own run each: to be dumpable, a subreaper, traced by anybody, to
//   move its own program break and command line, to switch cpuid or the time stamp counter off under the judge's feet.
// Kernel: the options have numbers of several kinds, and what one does to the calls of a tracer differs from one to the next.
// Stopped by: the options are listed, all others are rule violations; what arch_prctl may do is looked at in translation.
// Run: -- 0 4 1 => RV
// Run: -- 0 8 1 => RV
// Run: -- 0 22 2 => RV
// Run: -- 0 26 2 => RV
// Run: -- 0 35 1 => RV
// Run: -- 0 36 1 => RV
// Run: -- 0 37 0 => RV
// Run: -- 0 44 1 => RV
// Run: -- 0 53 1 => RV
// Run: -- 0 59 1 => RV
// Run: -- 0 0x59616d61 -1 => RV
// Run: -- 0 47 2 => OK
// Run: -- 0 1 9 => OK
// Run: -- 0 41 1 => OK
// Run: -- 1 0x1001 0xffffffff81000000 => OK RE
// Run: -- 1 0x1002 0xffffffff81000000 => OK RE
// Run: -- 1 0x1012 0 => OK RE RV
// Run: -- 1 0x1022 18 => OK RV
// Run: -- 1 0x2001 0x10000 => OK RV
// Run: -- 1 0x2003 0x20000000 => OK RV
// Run: -- 1 0x4001 1 => OK RV
// Run: -- 1 0x5001 1 => OK RV
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc < 4) return 1;
  const long option = (long)strtoull(argv[2], NULL, 0), value = (long)strtoull(argv[3], NULL, 0);
  if (atoi(argv[1]) == 0) {
    syscall(SYS_prctl, option, value, 0, 0, 0);
    syscall(SYS_prctl, option, value, 0, 0, 0);
  } else {
    syscall(SYS_arch_prctl, option, value, 0, 0, 0);
  }
  return 0;
}
