// Too slow: adds every number one by one, unit by unit.
#include <iostream>

int main() {
  int n;
  std::cin >> n;
  volatile long long sum = 0;
  for (int i = 0; i < n; ++i) {
    long long number;
    std::cin >> number;
    for (long long k = 0; k < number; ++k) sum = sum + 1;
    for (long long k = 0; k > number; --k) sum = sum - 1;
  }
  std::cout << sum << "\n";
}
