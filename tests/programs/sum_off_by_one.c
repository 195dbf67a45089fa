// Reads integers and prints their sum plus one: a wrong answer from a program that is well in every other
// way. Nothing in the kernel's eyes differs from sum_numbers; only a checker can tell.
// Tally: OK without check_output; WA with the hint "SUM\nEND".
#include "program.h"

int main(void) {
  long long sum = 1;
  for (long long value; scanf("%lld", &value) == 1;) sum += value;
  printf("%lld\n", sum);
  End();
  return 0;
}
