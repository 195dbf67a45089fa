// Growth n log n; array; 500..64000: a balanced tree; numbers by cin
#include <iostream>
#include <set>

int main() {
  int n;
  std::cin >> n;
  std::set<int> all;
  for (int i = 0, a; i < n && std::cin >> a; ++i) all.insert(a);
  std::cout << all.size() << ' ' << *all.begin() << '\n';
}
