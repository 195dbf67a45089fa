// Growth n; grid; 1000..128000: breadth first over free cells; how many can be reached depends on the walls
#include <iostream>
#include <string>
#include <vector>

int main() {
  int rows, columns;
  std::cin >> rows >> columns;
  std::vector<std::string> grid(rows);
  for (auto& row : grid) std::cin >> row;
  std::vector<int> distance(rows * columns, -1), queue{0};
  distance[0] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const int row = queue[head] / columns, column = queue[head] % columns;
    const int next[4][2] = {{row + 1, column}, {row - 1, column}, {row, column + 1}, {row, column - 1}};
    for (const auto& [r, c] : next) {
      if (r < 0 || c < 0 || r >= rows || c >= columns || grid[r][c] == '#' || distance[r * columns + c] >= 0) continue;
      distance[r * columns + c] = distance[queue[head]] + 1;
      queue.push_back(r * columns + c);
    }
  }
  std::cout << queue.size() << '\n';
}
