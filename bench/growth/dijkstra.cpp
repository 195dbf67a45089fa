// Growth n log n; graph; 500..64000: a heap of vertices
#include <cstdio>
#include <queue>
#include <utility>
#include <vector>

int main() {
  int n, m;
  if (std::scanf("%d %d", &n, &m) != 2) return 1;
  std::vector<std::vector<std::pair<int, int>>> next(n + 1);
  for (int i = 0, a, b; i < m && std::scanf("%d %d", &a, &b) == 2; ++i) {
    const int length = 1 + (a * 79 + b * 1047) % 1000;
    next[a].emplace_back(b, length), next[b].emplace_back(a, length);
  }
  std::vector<int> distance(n + 1, 1 << 30);
  std::priority_queue<std::pair<int, int>> queue;
  queue.emplace(0, 1);
  distance[1] = 0;
  while (!queue.empty()) {
    const auto [far, at] = queue.top();
    queue.pop();
    if (-far > distance[at]) continue;
    for (const auto& [to, length] : next[at]) {
      if (length - far >= distance[to]) continue;
      distance[to] = length - far;
      queue.emplace(far - length, to);
    }
  }
  std::printf("%d\n", distance[n]);
}
