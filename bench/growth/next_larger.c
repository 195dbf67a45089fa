// Growth n; permutation; 500..64000: the next larger number of each, by a stack
#include <stdio.h>
#include <stdlib.h>
static int Number(void) {
  int c = getchar_unlocked(), out = 0;
  while (c < '0') c = getchar_unlocked();
  for (; c >= '0'; c = getchar_unlocked()) out = out * 10 + c - '0';
  return out;
}

int main(void) {
  int n = Number(), top = 0;
  int* stack = malloc((n + 1) * sizeof *stack);
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) {
    int a = Number();
    while (top > 0 && stack[top - 1] < a) sum += stack[--top];
    stack[top++] = a;
  }
  printf("%u\n", sum + top);
  return 0;
}
