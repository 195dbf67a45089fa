// Shortest paths in a random graph, with a heap.
#include <cstdio>
#include <queue>
#include <utility>
#include <vector>

int main() {
  constexpr int kNodes = 120000, kEdges = 600000;
  std::vector<std::vector<std::pair<int, int>>> graph(kNodes);
  unsigned long seed = 1;
  const auto random = [&] { return static_cast<unsigned>((seed = seed * 6364136223846793005UL + 1) >> 33); };
  for (int i = 0; i < kEdges; ++i) graph[random() % kNodes].emplace_back(random() % kNodes, 1 + random() % 1000);
  unsigned long checksum = 0;
  for (int round = 0; round < 10; ++round) {
    std::vector<long> distance(kNodes, 1L << 60);
    std::priority_queue<std::pair<long, int>> heap;
    distance[round] = 0;
    heap.emplace(0, round);
    while (!heap.empty()) {
      const auto [minus, node] = heap.top();
      heap.pop();
      if (-minus != distance[node]) continue;
      for (const auto& [next, length] : graph[node]) {
        if (length - minus < distance[next]) heap.emplace(-(distance[next] = length - minus), next);
      }
    }
    for (const long d : distance) checksum = checksum * 31 + static_cast<unsigned long>(d);
  }
  std::printf("%lu\n", checksum);
}
