// Tries: to type into the terminal that the judge was started in, or to change it, on each descriptor and by each request: lines,
//   selections, the screen's scroll-back, exclusive use, its own session's terminal.
// Kernel: TIOCSTI and TIOCLINUX put bytes into the input of the terminal that a descriptor names, for who executes them.
// Stopped by: no ioctl but a few that name no terminal is let through (seccomp/policy_compiler.cc).
// Run: -- 0 0x5412 => RV
// Run: -- 1 0x541C => RV
// Run: -- 2 0x540E => RV
// Run: -- 0 0x5410 => RV
// Run: -- 2 0x540C => RV
// Run: -- 1 0x5402 => RV
// Run: -- 0 0x80045430 => RV
// Run: -- 1 0x5441 => RV
// Run: -- 1 0x4004667f => RV
// Run: -- 1 0x40106614 => RV
// Run: -- 0 0x5401 => OK
// Run: -- 1 0x40049409 => OK
// Run: -- 2 0x541B => OK
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

int main(int argc, char** argv) {
  static char buffer[256] = "\ntouch /tmp/typed\n";
  if (argc < 3) return 1;
  for (int i = 0; i < 3; ++i) ioctl(atoi(argv[1]), strtoul(argv[2], NULL, 0), buffer + i);
  return 0;
}
