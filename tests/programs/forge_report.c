// Writes what looks like a supervisor's report to every descriptor from 3 on, and to stderr; exits with 1.
// Outside a pid namespace only with argument "really": bare it would hit what its shell has open. Some
// supervisors report on descriptor 3 (sio2jail -f 3), or let a setup pipe live; who writes first is believed.
// Tally: RE (exit code 1); the report is Tally's own, and "forged 0 times".
#include "program.h"

int main(int argc, char** argv) {
  static const char report[] = "OK 0 0 0 1 1\nok\n{\"result_code\":\"OK\",\"result_percentage\":100}\n";
  const int really = InPidNamespace() || (argc > 1 && strcmp(argv[1], "really") == 0);
  int forged = 0;
  if (!really) puts("REFUSED: not in a pid namespace");
  for (int fd = 3; really && fd < 1024; ++fd) {
    if (write(fd, report, sizeof report - 1) > 0) ++forged;
  }
  if (write(2, report, sizeof report - 1) < 0) errno = 0;
  printf("forged %d times\n", forged);
  End();
  return 1;
}
