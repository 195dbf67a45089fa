// Right: the smallest divisor and what is left.
#include <iostream>

int main() {
  long long number;
  std::cin >> number;
  for (long long d = 2; d * d <= number; ++d) {
    if (number % d != 0) continue;
    std::cout << d << " " << number / d << "\n";
    return 0;
  }
  std::cout << "prime\n";
}
