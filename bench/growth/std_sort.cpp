// Growth n log n; array; 1000..128000: std::sort; reading by cin takes many times as long
#include <algorithm>
#include <iostream>
#include <vector>

int main() {
  int n;
  std::cin >> n;
  std::vector<int> all(n);
  for (int& a : all) std::cin >> a;
  std::sort(all.begin(), all.end());
  unsigned sum = 0;
  for (int a : all) sum = sum * 31 + a;
  std::cout << sum << '\n';
}
