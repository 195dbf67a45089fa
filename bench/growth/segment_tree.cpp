// Growth n log n; array; 1000,2000,3000,5000,10000,30000,50000,100000: n questions for a largest number
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
  int n;
  if (std::scanf("%d", &n) != 1) return 1;
  std::vector<int> tree(2 * n);
  for (int i = 0; i < n; ++i) if (std::scanf("%d", &tree[n + i]) != 1) return 1;
  for (int i = n - 1; i > 0; --i) tree[i] = std::max(tree[2 * i], tree[2 * i + 1]);
  unsigned sum = 0;
  for (int q = 0; q < n; ++q) {
    int best = 0;
    for (int low = n + q / 2, high = 2 * n - q / 3; low < high; low /= 2, high /= 2) {
      if (low & 1) best = std::max(best, tree[low++]);
      if (high & 1) best = std::max(best, tree[--high]);
    }
    sum += best;
  }
  std::printf("%u\n", sum);
}
