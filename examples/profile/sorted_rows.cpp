// Growth n^2 log n: an n by n table of numbers, each row sorted.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
  int n;
  if (std::scanf("%d", &n) != 1) return 1;
  unsigned random = 1, sum = 0;
  std::vector<unsigned> row(n);
  for (int i = 0; i < n; ++i) {
    for (unsigned& value : row) value = (random = random * 1664525u + 1013904223u) >> 8;
    std::make_heap(row.begin(), row.end());
    std::sort_heap(row.begin(), row.end());
    sum += row[i];
  }
  std::printf("%u\n", sum);
}
