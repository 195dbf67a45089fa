// Too slow: tries every number.
#include <iostream>

int main() {
  int questions;
  std::cin >> questions;
  while (questions-- > 0) {
    long long number;
    std::cin >> number;
    int divisors = 0;
    for (long long d = 1; d <= number; ++d) divisors += number % d == 0 ? 1 : 0;
    std::cout << divisors << "\n";
  }
}
