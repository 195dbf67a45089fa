// Right: divisors come in pairs, so the square root is far enough.
#include <iostream>

int main() {
  int questions;
  std::cin >> questions;
  while (questions-- > 0) {
    long long number;
    std::cin >> number;
    int divisors = 0;
    for (long long d = 1; d * d <= number; ++d) {
      if (number % d == 0) divisors += d * d == number ? 1 : 2;
    }
    std::cout << divisors << "\n";
  }
}
