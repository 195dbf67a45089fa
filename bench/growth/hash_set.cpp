// Growth n; array; 1000..128000: a hash set that is filled again when it is full
#include <iostream>
#include <unordered_set>

int main() {
  int n;
  std::cin >> n;
  std::unordered_set<int> seen;
  for (int i = 0, a; i < n && std::cin >> a; ++i) seen.insert(a);
  std::cout << seen.size() << '\n';
}
