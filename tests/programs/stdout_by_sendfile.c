// Sends its own executable to stdout by sendfile(2), again and again, argv[1] MiB in all (default 256). The
// bytes go from page cache to file or pipe inside the kernel; RLIMIT_FSIZE holds for them as for write(2).
// Tally: OLE when the output limit is below argv[1], else OK. With stdout in append mode sendfile to a file
// is refused (EINVAL): exit code 1, RE.
#include "program.h"

#include <fcntl.h>
#include <sys/sendfile.h>

int main(int argc, char** argv) {
  int self = open("/proc/self/exe", O_RDONLY);
  if (self < 0) self = open(argv[0], O_RDONLY);
  SafetyNet();
  for (long long left = Number(argc, argv, 1, 256) * (long long)MIB; left > 0;) {
    off_t begin = 0;
    const ssize_t n = sendfile(1, self, &begin, MIB);
    if (n <= 0) {
      fprintf(stderr, "sendfile: %s\n", strerrorname_np(errno));
      return 1;
    }
    left -= n;
  }
  End();
  return 0;
}
