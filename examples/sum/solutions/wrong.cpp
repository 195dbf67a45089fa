// Wrong: an int overflows from the fourth test on.
#include <iostream>

int main() {
  int n;
  std::cin >> n;
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) {
    int number;
    std::cin >> number;
    sum += static_cast<unsigned>(number);
  }
  std::cout << static_cast<int>(sum) << "\n";
}
