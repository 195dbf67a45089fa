// Growth n; array; 1000..128000: the largest; how often it changes depends on the input
#include <iostream>

int main() {
  int n, best = 0, changes = 0;
  std::cin >> n;
  for (int i = 0, a; i < n && std::cin >> a; ++i) {
    if (a > best) best = a, ++changes;
  }
  std::cout << best << ' ' << changes << '\n';
}
