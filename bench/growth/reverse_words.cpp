// Growth n; string; 1000,3000,5000,10000,20000,50000,80000,150000: letters counted and turned around
#include <algorithm>
#include <iostream>
#include <string>

int main() {
  int n, count[26] = {};
  std::string text;
  std::cin >> n >> text;
  for (char c : text) ++count[c - 'a'];
  std::reverse(text.begin(), text.end());
  std::cout << text << ' ' << count[0] << '\n';
}
