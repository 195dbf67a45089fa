// Growth n; number; 1000,2000,3000,5000,10000,30000,50000,100000: a vector that is copied when it is full
#include <iostream>
#include <vector>

int main() {
  int n;
  std::cin >> n;
  std::vector<int> all;
  for (int i = 0; i < n; ++i) all.push_back(i ^ n);
  unsigned sum = 0;
  for (int a : all) sum = sum * 31 + a;
  std::cout << sum << '\n';
}
