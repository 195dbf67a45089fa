// Tries: to have its output counted as something else: standard streams exchanged, closed and taken by other files, written through a
//   duplicate, read where they are written.
// Kernel: 0, 1 and 2 are numbers in a table of the program's own; what counts is the open file behind them.
// Stopped by: the file behind the judge's own descriptor is looked at, whatever the program calls it.
// Run: output=1M -- turned => OLE
// Run: output=1M -- duplicate => OLE
// Run: output=1M -- errors => OLE
// Run: same output=1M -- elsewhere => OK
// Run: same output=1M -- full => OK
// Run: same output=1M -- read => OK
// Run: same output=1M -- through => OK
// Run: output=1M processes=2 -- inherited => OLE
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }
static char text[1 << 16];
static void flood(int to) {
  for (int i = 0; i < 32; ++i) (void)!write(to, text, sizeof text);
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "turned";
  memset(text, 'x', sizeof text);
  int fds[2];
  if (pipe2(fds, O_NONBLOCK) != 0) return 1;
  if (is(how, "turned")) dup2(1, 100), dup2(0, 1), dup2(100, 0), close(100), flood(0);
  if (is(how, "duplicate")) dup2(1, 1000), close(0), close(1), close(2), flood(1000);
  if (is(how, "errors")) dup2(2, 1), flood(1);
  if (is(how, "elsewhere")) (void)!write(1, "answer\n", 7), dup2(open("/dev/null", O_WRONLY), 1), flood(1);
  if (is(how, "full")) (void)!write(1, "answer\n", 7), close(1), (void)!open("/dev/full", O_WRONLY), flood(1);
  if (is(how, "read")) {
    (void)!write(1, "answer\n", 7);
    lseek(1, 0, SEEK_SET);
    const ssize_t count = read(1, text, sizeof text);
    (void)!write(1, "again\n", count == 7 ? 6 : 5);
  }
  if (is(how, "through")) {
    dup2(1, 500);
    dup2(fds[1], 1);
    for (int i = 0; i < 64; ++i) (void)!write(1, text, 65536), (void)!read(fds[0], text, sizeof text);
    (void)!write(500, "answer\n", 7);
  }
  if (is(how, "inherited")) {
    dup2(1, 77);
    if (fork() == 0) close(1), close(2), flood(77), _exit(0);
    close(77);
    wait(NULL);
  }
  return 0;
}
