// A child waits in preadv2(2) from a pipe, a call that no list of waiting calls may name, for what its parent writes when it has computed.
#define _GNU_SOURCE
#include "program.h"

#include <sys/uio.h>
#include <sys/wait.h>

int main(void) {
  int data[2];
  if (pipe(data) != 0) return 2;
  const pid_t child = fork();
  if (child == 0) {
    char text[8] = "";
    const struct iovec part = {text, 4};
    const ssize_t n = preadv2(data[0], &part, 1, -1, 0);
    printf("the child read %d bytes: %s\n", (int)n, text);
    fflush(stdout);
    _exit(0);
  }
  for (volatile int i = 0; i < 20000000; ++i) {
  }
  if (write(data[1], "abcd", 4) != 4) return 3;
  waitpid(child, NULL, 0);
  End();
  return 0;
}
