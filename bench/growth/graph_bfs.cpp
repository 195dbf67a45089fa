// Growth n; graph; 500..64000: breadth first, lists of neighbours
#include <iostream>
#include <vector>

int main() {
  int n, m;
  std::cin >> n >> m;
  std::vector<std::vector<int>> next(n + 1);
  for (int i = 0, a, b; i < m && std::cin >> a >> b; ++i) next[a].push_back(b), next[b].push_back(a);
  std::vector<int> distance(n + 1, -1), queue{1};
  distance[1] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (int to : next[queue[head]]) {
      if (distance[to] < 0) distance[to] = distance[queue[head]] + 1, queue.push_back(to);
    }
  }
  std::cout << distance[n] << ' ' << queue.size() << '\n';
}
