// Growth n: the farthest vertex from vertex 1 of a graph with 2n edges.
#include <cstdio>
#include <vector>

int main() {
  int n, m;
  if (std::scanf("%d %d", &n, &m) != 2) return 1;
  std::vector<int> head(n + 1, -1), next, to;
  const auto add = [&](int from, int vertex) {
    to.push_back(vertex);
    next.push_back(head[from]);
    head[from] = static_cast<int>(to.size()) - 1;
  };
  for (int i = 0; i < m; ++i) {
    int a, b;
    if (std::scanf("%d %d", &a, &b) != 2) return 1;
    add(a, b);
    add(b, a);
  }
  std::vector<int> distance(n + 1, -1), queue;
  if (n >= 1) {
    distance[1] = 0;
    queue.push_back(1);
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (int edge = head[queue[i]]; edge >= 0; edge = next[edge]) {
      if (distance[to[edge]] >= 0) continue;
      distance[to[edge]] = distance[queue[i]] + 1;
      queue.push_back(to[edge]);
    }
  }
  std::printf("%d\n", queue.empty() ? 0 : distance[queue.back()]);
}
