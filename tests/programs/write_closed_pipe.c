// Writes to a pipe whose reader is gone. write(2) sends SIGPIPE before it answers EPIPE; the default action
// ends the process. An interactive judge that ends first does this to the program.
// Tally: RE (signal 13).
#include "program.h"

int main(void) {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  close(ends[0]);
  const ssize_t n = write(ends[1], "x", 1);
  printf("%zd\n", n);
  End();
  return 0;
}
