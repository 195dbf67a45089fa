// Wrong: numbers above two thousand million do not fit into an int.
#include <iostream>

int main() {
  int questions;
  std::cin >> questions;
  while (questions-- > 0) {
    long long given;
    std::cin >> given;
    const int number = static_cast<int>(given);
    int divisors = 0;
    for (int d = 1; static_cast<long long>(d) * d <= number; ++d) {
      if (number % d == 0) divisors += static_cast<long long>(d) * d == number ? 1 : 2;
    }
    std::cout << divisors << "\n";
  }
}
