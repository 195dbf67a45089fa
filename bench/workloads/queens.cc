// Recursion: all solutions of the queens' problem, and Fibonacci numbers the slow way.
#include <cstdio>

static int Queens(unsigned all, unsigned columns, unsigned left, unsigned right) {
  if (columns == all) return 1;
  int solutions = 0;
  for (unsigned free = all & ~(columns | left | right); free != 0; free &= free - 1) {
    const unsigned bit = free & -free;
    solutions += Queens(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return solutions;
}

static __attribute__((noinline)) long Fibonacci(int n) { return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2); }

int main() { std::printf("%d %ld\n", Queens((1U << 13) - 1, 0, 0, 0), Fibonacci(43)); }
