// Built for i386, static: opens its three files by 32-bit system calls and says OK, a comment and 100. The
// seed's checkers were such binaries. On x86-64 they enter the kernel by the i386 table, where open is 5 and
// not 2; a policy for x86-64 alone kills them or, worse, misreads the numbers.
// Tally: OK, 100 percent, comment "i386, 4-byte pointers"; the i386 calls are under a policy of their own.
#include <stdio.h>

int main(int argc, char** argv) {
  for (int i = 1; i <= 3; ++i) {
    FILE* file = argc > i ? fopen(argv[i], "r") : NULL;
    if (file == NULL) {
      printf("WRONG\ncannot open argument %d\n", i);
      return 0;
    }
    fclose(file);
  }
  printf("OK\ni386, %zu-byte pointers\n100\n", sizeof(void*));
  return 0;
}
