// Wrong: one is no divisor that counts.
#include <iostream>

int main() {
  long long number;
  std::cin >> number;
  std::cout << "1 " << number << "\n";
}
