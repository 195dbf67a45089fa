// Growth n; number; 1000,2000,3000,5000,10000,30000,50000,100000: prints the numbers up to n
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  for (int i = 1; i <= n; ++i) printf("%d\n", i);
  return 0;
}
