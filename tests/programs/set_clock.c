// Sets the system's clock to nothing (settimeofday without a time), so that it does not change; with argument
// "adj" calls adjtimex, which then only reads.
// EPERM: no CAP_SYS_TIME; success: it had the right. There is no namespace for the real-time clock.
// Tally: RV ("settimeofday", "adjtimex" or "clock_adjtime").
#include "program.h"

#include <sys/syscall.h>
#include <sys/timex.h>

int main(int argc, char** argv) {
  struct timex read_only;
  memset(&read_only, 0, sizeof read_only);
  if (argc > 1 && strcmp(argv[1], "adj") == 0) {
    TRY("adjtimex", adjtimex(&read_only) < 0 ? -1 : 0);
  } else {
    TRY("settimeofday", syscall(SYS_settimeofday, NULL, NULL));
  }
  End();
  return 0;
}
