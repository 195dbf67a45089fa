// printf of doubles: the C library's long multiplication, its jump tables, and x87 for long double.
#include "program.h"

#include <math.h>

int main(void) {
  volatile double x = 1;
  for (int i = 0; i < 3; ++i) {
    x = x * 3.7 + 0.1;
    printf("%.17g %e %a\n", x, 1 / x, sqrt(x));
  }
  volatile long double y = 1;
  for (int i = 0; i < 2; ++i) {
    y = y / 3 + 2.5L;
    printf("%.20Lg %d\n", y, (int)lrintl(y * 100));
  }
  printf("%g %g %g %f\n", (double)INFINITY, -(double)NAN, -0.0, 1e20);
  printf("%.3f %d %lld\n", strtod("1.2345e3", NULL), (int)x, (long long)y);
  End();
  return 0;
}
