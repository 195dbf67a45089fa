// The C library's string functions at all small sizes, alignments and some large ones: it chooses their code by
// processor, uses vectors, rep instructions and jumps into the middle of unrolled code.
#include "program.h"

static char from[9000], to[9000];

int main(void) {
  unsigned long sum = 0;
  for (int i = 0; i < 9000; ++i) from[i] = (char)('a' + i % 23);
  static const int kSizes[] = {0, 1, 3, 4, 8, 9, 16, 17, 31, 32, 33, 64, 65, 127, 129, 200,
                               256, 257, 512, 1000, 2048, 8200};
  for (size_t i = 0; i < sizeof kSizes / sizeof kSizes[0]; ++i) {
    const size_t size = (size_t)kSizes[i];
    for (size_t offset = 0; offset < 14; offset += 13) {
      memset(to, 'x', size + 64);
      memcpy(to + offset, from + 1, size);
      memmove(to + 3, to + offset, size);
      to[size + 3] = 0;
      sum = sum * 31 + strlen(to + 3);
      sum = sum * 31 + (unsigned)(memcmp(to + 3, from + 1, size) == 0);
      sum += (unsigned char)to[size / 2 + 3];
      const char* at = memchr(to, 'w', size + 3);
      sum = sum * 31 + (at != NULL ? (size_t)(at - to) : 0);
      at = strchr(to + 3, 'q');
      sum = sum * 31 + (at != NULL ? (size_t)(at - to) : 0);
      sum += (unsigned)(strcmp(to + 3, from + 1) < 0);
      sum += (unsigned)(strncmp(to + 3, from + 1, size) == 0);
      const char* last = strrchr(to + 3, 'b');
      sum += last != NULL ? (size_t)(last - to) : 0;
    }
  }
  char text[64];
  strcpy(text, "to be or not to be");
  strcat(text, ", that is");
  printf("%lu %s %zu %s\n", sum, text, strspn(text, "tobe rn"), strstr(text, "not"));
  End();
  return 0;
}
