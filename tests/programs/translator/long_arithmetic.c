// 128-bit arithmetic, overflow builtins, bit fields and rotations, as compilers make them: adc, sbb, mul, shld, jo.
#include "program.h"

int main(void) {
  unsigned __int128 a = 1;
  __int128 b = -7;
  long overflows = 0;
  int small = 1;
  for (int i = 1; i < 60; ++i) {
    a = a * 0x123456789abcdefULL + (unsigned)i;
    b = b * 31 - (__int128)a;
    a = (a << (i & 63)) | (a >> (128 - (i & 63)));
    long r;
    overflows += __builtin_add_overflow((long)a, (long)b, &r);
    overflows += __builtin_mul_overflow(small, i * 3, &small);
    if (b % 1000 > 0) b /= 3;
    overflows += __builtin_popcountll((unsigned long)a) + __builtin_clzll((unsigned long)b | 1);
  }
  printf("%016llx %016llx %016llx %ld %d\n", (unsigned long long)(a >> 64), (unsigned long long)a,
         (unsigned long long)b, overflows, small);
  End();
  return 0;
}
