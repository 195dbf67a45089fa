// Too slow where the smallest divisor is large: tries every number.
#include <iostream>

int main() {
  long long number, divisors = 0, found = 0;
  std::cin >> number;
  for (long long d = 2; d < number; ++d) {
    if (number % d != 0) continue;
    found = d;
    ++divisors;
  }
  if (divisors == 0) std::cout << "prime\n";
  else std::cout << found << " " << number / found << "\n";
}
