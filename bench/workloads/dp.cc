// Longest common subsequence and a knapsack: two-dimensional dynamic programming.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
  constexpr int kLength = 20000;
  unsigned seed = 1;
  const auto random = [&] { return (seed = seed * 1664525 + 1013904223) >> 16; };
  std::vector<char> a(kLength), b(kLength);
  for (char& c : a) c = static_cast<char>(random() % 4);
  for (char& c : b) c = static_cast<char>(random() % 4);
  std::vector<std::vector<int>> best(2, std::vector<int>(kLength + 1));
  for (int i = 1; i <= kLength; ++i) {
    for (int j = 1; j <= kLength; ++j) {
      best[i & 1][j] = a[i - 1] == b[j - 1] ? best[~i & 1][j - 1] + 1 : std::max(best[~i & 1][j], best[i & 1][j - 1]);
    }
  }
  constexpr int kRoom = 100000;
  std::vector<long> value(kRoom + 1);
  for (int item = 0; item < 5000; ++item) {
    const int weight = 1 + static_cast<int>(random() % 1000);
    const long worth = random() % 10000;
    for (int room = kRoom; room >= weight; --room) value[room] = std::max(value[room], value[room - weight] + worth);
  }
  std::printf("%d %ld\n", best[kLength & 1][kLength], value[kRoom]);
}
