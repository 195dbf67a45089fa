// Takes more memory than allowed: a table of half a gigabyte, filled.
#include <iostream>
#include <vector>

int main() {
  std::vector<long long> table(1 << 26, 1);
  int n;
  std::cin >> n;
  long long sum = 0;
  for (int i = 0; i < n; ++i) {
    long long number;
    std::cin >> number;
    sum += number * table[static_cast<std::size_t>(i)];
  }
  std::cout << sum << "\n";
}
