// Makes stdout argv[1] MiB long (default 256) with almost no data: pwrite(2) of one byte at that offset; with
// argument 2 "truncate" by ftruncate(2), with "allocate" by fallocate(2).
// Size and data are different things for a file. RLIMIT_FSIZE bounds the size, for all three calls (SIGXFSZ);
// into a pipe they fail (ESPIPE, EINVAL).
// Tally: OLE into a file when the output limit is below argv[1]; into a pipe a printed refusal and OK.
#include "program.h"

#include <fcntl.h>

int main(int argc, char** argv) {
  const off_t size = (off_t)Number(argc, argv, 1, 256) * (off_t)MIB;
  const char* how = argc > 2 ? argv[2] : "write";
  long result;
  if (strcmp(how, "truncate") == 0) {
    result = ftruncate(1, size);
  } else if (strcmp(how, "allocate") == 0) {
    result = fallocate(1, 0, 0, size);
  } else {
    result = pwrite(1, "x", 1, size);
  }
  Report(how, result);
  End();
  return 0;
}
