// Growth n; tree; 500..64000: sizes of subtrees by recursion
#include <iostream>
#include <vector>

std::vector<std::vector<int>> children;
std::vector<int> size;

int Visit(int at) {
  size[at] = 1;
  for (int child : children[at]) size[at] += Visit(child);
  return size[at];
}

int main() {
  int n;
  std::cin >> n;
  children.resize(n + 1);
  size.resize(n + 1);
  for (int i = 1, a, b; i < n && std::cin >> a >> b; ++i) children[a].push_back(b);
  std::cout << Visit(1) << ' ' << size[2] << '\n';
}
