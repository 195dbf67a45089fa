// Growth n log n; array; 1000,2000,5000,8000,12000,30000,60000,100000: stretches sorted and joined
#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

int main() {
  int n;
  if (std::scanf("%d", &n) != 1) return 1;
  std::vector<std::pair<int, int>> all;
  for (int i = 0, a; i < n && std::scanf("%d", &a) == 1; ++i) all.emplace_back(a, a + a % 1000);
  std::stable_sort(all.begin(), all.end());
  int joined = 0, end = -1;
  for (const auto& [from, to] : all) {
    joined += from > end;
    end = std::max(end, to);
  }
  std::printf("%d\n", joined);
}
