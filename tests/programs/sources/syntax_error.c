// Does not compile: a semicolon is missing. CE; compiler_output names line 5.
#include <stdio.h>
int main(void) {
  int n = 1
  printf("%d\n", n);
  return 0;
}
