// Growth n log n; graph; 500..64000: edges sorted, sets joined by size
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <tuple>
#include <vector>

std::vector<int> parent, size;
int Find(int a) {
  while (parent[a] != a) a = parent[a] = parent[parent[a]];
  return a;
}

int main() {
  int n, m;
  if (std::scanf("%d %d", &n, &m) != 2) return 1;
  std::vector<std::tuple<unsigned, int, int>> edges;
  for (int i = 0, a, b; i < m && std::scanf("%d %d", &a, &b) == 2; ++i) edges.emplace_back((a * 2654435761u) ^ (b * 40503u), a, b);
  std::sort(edges.begin(), edges.end());
  parent.resize(n + 1);
  std::iota(parent.begin(), parent.end(), 0);
  size.assign(n + 1, 1);
  unsigned total = 0;
  for (const auto& [length, one, other] : edges) {
    int a = Find(one), b = Find(other);
    if (a == b) continue;
    if (size[a] > size[b]) std::swap(a, b);
    parent[a] = b, size[b] += size[a], total += length;
  }
  std::printf("%u\n", total);
}
