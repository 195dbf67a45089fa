// Tries: to spend time in the kernel that is nobody's: it reads zeros, random bytes, its own input, a closed pipe and its own
//   executable, over and over.
// Kernel: a read copies for as long as it is asked to, in system time; the end of a file is told at once, for ever.
// Stopped by: the limit on all CPU time counts system time (jobs/exec_options.cc).
// Run: time=0.15 -- zeros => TLE
// Run: time=0.15 -- random => TLE
// Run: time=0.15 -- input => TLE
// Run: time=0.15 -- pipe => TLE
// Run: time=0.15 -- bad => TLE
// Run: -- once => OK
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "once";
  static char bytes[1 << 16];
  int ends[2];
  int from = 0;
  if (strcmp(how, "zeros") == 0) from = open("/dev/zero", O_RDONLY);
  if (strcmp(how, "random") == 0) from = open("/dev/urandom", O_RDONLY);
  if (strcmp(how, "bad") == 0) from = 1000;
  if (strcmp(how, "pipe") == 0 && pipe(ends) == 0) close(ends[1]), from = ends[0];
  do {
    const ssize_t n = read(from, bytes, sizeof bytes);
    if (n < 0 && strcmp(how, "bad") != 0) return 3;
    if (strcmp(how, "random") == 0) lseek(from, 0, SEEK_SET);
  } while (strcmp(how, "once") != 0);
  puts("done");
  return 0;
}
