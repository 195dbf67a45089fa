// qsort and bsearch with callbacks, computed goto, and a switch with a jump table: an interpreter in small.
#include "program.h"

static int comparisons;

static int Compare(const void* a, const void* b) {
  ++comparisons;
  return *(const int*)a - *(const int*)b;
}

static long Interpret(const unsigned char* code) {
  static const void* const labels[] = {&&add, &&twice, &&minus, &&loop, &&stop};
  long value = 1, left = 50;
  const unsigned char* at = code;
  goto *labels[*at++];
add:
  value += 3;
  goto *labels[*at++];
twice:
  value = value * 2 % 100003;
  goto *labels[*at++];
minus:
  value -= 7;
  goto *labels[*at++];
loop:
  if (--left != 0) at = code;
  goto *labels[*at++];
stop:
  return value;
}

static __attribute__((noinline)) long Switched(int kind, long x) {
  switch (kind) {
    case 0: return x + 1;
    case 1: return x * 5;
    case 2: return x ^ 0x55;
    case 3: return x >> 1;
    case 4: return -x;
    case 5: return x % 7;
    case 9: return x - 1000;
    default: return x | 1;
  }
}

int main(void) {
  int numbers[64];
  unsigned seed = 12345;
  for (int i = 0; i < 64; ++i) numbers[i] = (int)((seed = seed * 1103515245 + 12345) >> 16) % 1000;
  qsort(numbers, 64, sizeof numbers[0], Compare);
  const int wanted = numbers[17];
  const int* found = bsearch(&wanted, numbers, 64, sizeof numbers[0], Compare);
  printf("%d %d %d %d\n", numbers[0], numbers[63], *found, comparisons);
  printf("%ld\n", Interpret((const unsigned char[]){0, 1, 2, 0, 3, 4}));
  long x = 100;
  for (int i = 0; i < 200; ++i) x = Switched((int)(i * 7 % 11), x);
  printf("%ld\n", x);
  End();
  return 0;
}
