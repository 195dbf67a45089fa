// Prints what is in the files that argv names, each behind its name; or why it cannot be opened.
#include "program.h"

#include <fcntl.h>

int main(int argc, char** argv) {
  static char text[1 << 16];
  for (int i = 1; i < argc; ++i) {
    const int fd = open(argv[i], O_RDONLY);
    printf("%s: ", argv[i]);
    if (fd < 0) {
      puts(strerrorname_np(errno));
      continue;
    }
    for (ssize_t n; (n = read(fd, text, sizeof text)) > 0;) fwrite(text, 1, (size_t)n, stdout);
    puts("");
    close(fd);
  }
  End();
  return 0;
}
