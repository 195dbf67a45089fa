// Memory that is writable and executable grows: at its end, at its beginning, by mremap; parts of it are given back and
// change their rights. Code in it that was executed before can still be called and still be written.
#include "program.h"

#include <signal.h>
#include <sys/mman.h>

enum { kPage = 4096, kRights = PROT_READ | PROT_WRITE | PROT_EXEC };
typedef int (*Function)(void);

static void Returns(unsigned char* at, int value) {
  at[0] = 0xb8;
  memcpy(at + 1, &value, sizeof value);
  at[5] = 0xc3;
}
static int Calls(const unsigned char* at) { return ((Function)(const void*)at)(); }
static void Map(unsigned char* at, int pages) {
  if (mmap(at, (size_t)pages * kPage, kRights, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) puts("mmap failed");
}

// Calls what lies there, writes it anew without calling it, and calls it again.
static void TryAt(const char* when, unsigned char* at) {
  static int value = 100;
  Returns(at, ++value);
  const int first = Calls(at);
  const int again = Calls(at);
  Returns(at, ++value);
  printf("%s: %d %d %d\n", when, first, again, Calls(at));
}

static unsigned char* more;
static void MapsMore(int sig) {
  (void)sig;
  Map(more, 1);
  Returns(more - 3, 8);
  Returns(more + 50, 9);
}

int main(void) {
  unsigned char* all = mmap(NULL, 64 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  unsigned char* code = all + 20 * kPage;
  Map(code, 5);
  TryAt("at first", code + 100);
  TryAt("over a page's end", code + kPage - 3);
  Map(code + 5 * kPage, 6);
  Returns(code + 100, 1);
  printf("grown at its end: %d\n", Calls(code + 100));
  TryAt("behind it", code + 5 * kPage + 100);
  TryAt("over the border", code + 5 * kPage - 3);
  Map(code - 3 * kPage, 3);
  Returns(code + 100, 2);
  printf("grown at its beginning: %d %d\n", Calls(code + 100), Calls(code + 5 * kPage - 3));
  TryAt("in front of it", code - 50);
  munmap(code + 2 * kPage, kPage);
  Returns(code + 100, 3);
  Returns(code + 5 * kPage - 3, 4);
  printf("with a hole: %d %d\n", Calls(code + 100), Calls(code + 5 * kPage - 3));
  mprotect(code + 8 * kPage, kPage, PROT_READ | PROT_EXEC);
  Returns(code + 100, 5);
  TryAt("with a part that is read-only", code + 9 * kPage);
  // An instruction of which only a part is mapped, and a jump to where nothing is, until the handler maps it.
  signal(SIGSEGV, MapsMore);
  more = all + 40 * kPage;
  Map(more - kPage, 1);
  Returns(more - 3, 7);
  printf("the rest comes when it is asked for: %d\n", Calls(more - 3));
  more += kPage;
  more[-kPage + 100] = 0xe9;
  memcpy(more - kPage + 101, &(int){kPage - 100 - 5 + 50}, 4);
  printf("so does the target: %d\n", Calls(more - kPage + 100));
  unsigned char* moved = mremap(code, kPage, kPage, MREMAP_MAYMOVE | MREMAP_FIXED, all + 50 * kPage);
  if (moved == MAP_FAILED) puts("mremap failed");
  printf("moved: %d\n", Calls(moved + 100));
  TryAt("written where it is now", moved + 100);
  End();
  return 0;
}
