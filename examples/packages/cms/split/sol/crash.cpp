// Crashes on primes: divides by the divisor that there is not.
#include <iostream>

int main() {
  long long number, divisor = 0;
  std::cin >> number;
  for (long long d = 2; d * d <= number && divisor == 0; ++d) {
    if (number % d == 0) divisor = d;
  }
  std::cout << divisor << " " << number / divisor << "\n";
}
