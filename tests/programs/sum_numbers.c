// Reads integers until the end of the input and prints their sum: the smallest "real" solution.
// The sum is taken modulo 2^64, so that no input is a fault.
// Tally: OK; with check_output OK when the hint is "SUM\nEND", else WA.
#include "program.h"

int main(void) {
  unsigned long long sum = 0;
  for (long long value; scanf("%lld", &value) == 1;) sum += (unsigned long long)value;
  printf("%lld\n", (long long)sum);
  End();
  return 0;
}
