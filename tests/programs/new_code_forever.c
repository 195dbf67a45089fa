// Writes a function, runs it and writes it anew, for ever: a translator is asked for code all the time.
// Every round is a store into code that was executed, and a call of what has changed.
// Tally: TLE by whichever of its limits on time or instructions it has; not long after it, with every engine.
#include "program.h"

#include <sys/mman.h>

int main(void) {
  SafetyNet();
  unsigned char* code =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) {
    Report("mmap rwx", -1);
    return 1;
  }
  static const unsigned char function[] = {0xb8, 0, 0, 0, 0, 0xc3};  // mov $N, %eax; ret
  memcpy(code, function, sizeof function);
  for (unsigned i = 0;; ++i) {
    code[1] = (unsigned char)i;
    __builtin___clear_cache((char*)code, (char*)code + sizeof function);
    if (((int (*)(void))(void*)code)() != (int)(i & 0xff)) return 2;
  }
}
