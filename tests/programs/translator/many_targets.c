// One indirect call that goes to 300 functions, one return that goes to many callers, and a long chain of blocks: more
// than small caches of targets hold.
#include "program.h"

#define ONE(n) static __attribute__((noinline)) long f##n(long x) { return x * (n % 13 + 1) + n; }
#define TEN(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
#define HUNDRED(n) TEN(n##0) TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)
HUNDRED(1) HUNDRED(2) HUNDRED(3)

#define NAME(n) f##n,
#define TEN_NAMES(n) NAME(n##0) NAME(n##1) NAME(n##2) NAME(n##3) NAME(n##4) NAME(n##5) NAME(n##6) NAME(n##7) NAME(n##8) NAME(n##9)
#define HUNDRED_NAMES(n) \
  TEN_NAMES(n##0) TEN_NAMES(n##1) TEN_NAMES(n##2) TEN_NAMES(n##3) TEN_NAMES(n##4) TEN_NAMES(n##5) TEN_NAMES(n##6) \
  TEN_NAMES(n##7) TEN_NAMES(n##8) TEN_NAMES(n##9)
static long (*const functions[])(long) = {HUNDRED_NAMES(1) HUNDRED_NAMES(2) HUNDRED_NAMES(3)};

int main(void) {
  long x = 1;
  for (int i = 0; i < 900; ++i) x = functions[i * 7 % 300](x) % 1000003;
  printf("%ld\n", x);
  End();
  return 0;
}
