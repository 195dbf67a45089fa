#include <iostream>
#include <string>

int main() {
  int low = 1, high = 1000;
  for (;;) {
    const int middle = (low + high) / 2;
    std::cout << middle << std::endl;  // what is not flushed is not heard
    std::string word;
    std::cin >> word;
    if (word == "right") return 0;
    (word == "lower" ? high : low) = word == "lower" ? middle - 1 : middle + 1;
  }
}
