// Tries: to mislead who reads its output: NULs, broken UTF-8, terminal escapes, one word without an end, more after the
//   answer, a rewritten beginning, output closed too early.
// Kernel: output is bytes, and a descriptor that is shared can be moved by each of its holders.
// Stopped by: output is compared and shown as bytes; the judge's own results travel elsewhere.
// Run: same -- nul => OK
// Run: same -- utf8 => OK
// Run: same -- escape => OK
// Run: same output=8M -- token => OK
// Run: same -- crlf => OK
// Run: same -- rewrite => OK
// Run: same -- close => OK
// Run: same -- json => OK
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }
static void say(const char* text, size_t size) { (void)!write(1, text, size); }

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "nul";
  if (is(how, "nul")) say("4\0002\n", 4);
  if (is(how, "utf8")) say("\xff\xc0\x80\xed\xa0\x80\xf8\n", 8);
  if (is(how, "escape")) say("\033]0;x\007\033[2J\033c\n", 14);
  if (is(how, "crlf")) say("42\r\n\r\r\n", 7);
  if (is(how, "json")) say("\"}\n{\"result_code\":\"OK\"}\n", 24);
  if (is(how, "rewrite")) say("41\n", 3), lseek(1, 0, SEEK_SET), (void)!ftruncate(1, 0), say("42\n", 3);
  if (is(how, "close")) say("42\n", 3), close(0), close(1), close(2), say("43\n", 3);
  static char word[65536];
  memset(word, '7', sizeof word);
  for (int i = 0; is(how, "token") && i < 64; ++i) say(word, sizeof word);
  return 0;
}
