// Reads its own mapped executable past the end of the file. The mapping is longer than the file; a page that
// lies wholly behind the end has no data to fault in, which is SIGBUS, not SIGSEGV. The same happens when
// somebody truncates a mapped file.
// Tally: RE (signal 7).
#include "program.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

int main(int argc, char** argv) {
  struct stat info;
  int self = open("/proc/self/exe", O_RDONLY);
  if (self < 0 && argc > 0) self = open(argv[0], O_RDONLY);
  if (self < 0 || fstat(self, &info) != 0) return 1;
  const size_t size = (size_t)info.st_size + 2 * 4096;
  const volatile char* text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, self, 0);
  if (text == MAP_FAILED) return 2;
  printf("%d\n", text[size - 1]);
  End();
  return 0;
}
