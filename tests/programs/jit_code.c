// Writes a function into fresh memory, runs it, changes it in place and runs it again, 100 times.
// x86 keeps instruction fetches coherent with stores, so the second call must see the new code; a translator
// that caches blocks by address must notice the store.
// Tally: OK with every engine (a policy may not forbid PROT_EXEC: Java and Python's ctypes need it).
#include "program.h"

#include <sys/mman.h>

int main(void) {
  unsigned char* code =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) {
    Report("mmap rwx", -1);
    return 1;
  }
  static const unsigned char function[] = {0xb8, 0, 0, 0, 0, 0xc3};  // mov $N, %eax; ret
  memcpy(code, function, sizeof function);
  int sum = 0;
  for (int i = 0; i < 100; ++i) {
    code[1] = (unsigned char)i;
    __builtin___clear_cache((char*)code, (char*)code + sizeof function);
    sum += ((int (*)(void))(void*)code)();
  }
  printf("%d\n", sum);
  End();
  return sum == 4950 ? 0 : 2;
}
