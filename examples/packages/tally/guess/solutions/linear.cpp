#include <iostream>
#include <string>

int main() {
  std::string word;
  for (int number = 1; word != "right"; ++number) {
    std::cout << number << std::endl;
    if (!(std::cin >> word)) return 0;
  }
}
