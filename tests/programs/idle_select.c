// Waits in select(2) without descriptors or a timeout; with argument "poll" in poll(2).
// Neither can ever return without a signal: a third and fourth way to sleep for ever.
// Tally: TLE (idle or wall).
#include "program.h"

#include <poll.h>
#include <sys/select.h>

int main(int argc, char** argv) {
  SafetyNet();
  if (argc > 1 && strcmp(argv[1], "poll") == 0) {
    poll(NULL, 0, -1);
  } else {
    select(0, NULL, NULL, NULL, NULL);
  }
  End();
  return 0;
}
