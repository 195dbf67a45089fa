// Tries: to write its answer over and under itself: O_APPEND taken off and put back on a shared descriptor, writes in front of what
//   is there, holes, the file cut to nothing and grown, and last exactly what was asked for.
// Kernel: the flags of an open file belong to all who have it, and F_SETFL changes them.
// Stopped by: output is the file as it stands at the end; its size at each look is what the limit is on.
// Run: same -- front => OK
// Run: same -- hole => OK
// Run: same -- cut => OK
// Run: output=1M -- limit => OK
// Run: output=1M -- beyond => OLE OK
// Run: output=1M -- back => OLE OK
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "front";
  static char text[1 << 20];
  memset(text, 'y', sizeof text);
  fcntl(1, F_SETFL, 0);
  if (is(how, "front")) (void)!write(1, "second\n", 7), (void)!pwrite(1, "first \n", 7, 0), fcntl(1, F_SETFL, O_APPEND), (void)!write(1, "third\n", 6);
  if (is(how, "hole")) (void)!pwrite(1, "end\n", 4, 100), (void)!ftruncate(1, 102), (void)!pwrite(1, "begin", 5, 0);
  if (is(how, "cut")) {
    for (int i = 0; i < 50; ++i) (void)!write(1, text, 1 << 16), (void)!ftruncate(1, 0), lseek(1, 0, SEEK_SET);
    (void)!write(1, "answer\n", 7);
  }
  if (is(how, "limit")) (void)!ftruncate(1, 1 << 20), (void)!pwrite(1, text, 1 << 20, 0);
  if (is(how, "beyond")) (void)!pwrite(1, text, 1 << 20, 1), (void)!ftruncate(1, 10);
  if (is(how, "back")) (void)!pwrite(1, text, 1, 1 << 21), (void)!ftruncate(1, 0);
  return 0;
}
