// A segment tree with lazy additions, and maxima over ranges.
#include <algorithm>
#include <cstdio>
#include <vector>

static std::vector<long> highest, lazy;

static void Add(int node, int from, int to, int first, int last, long value) {
  if (last < from || to < first) return;
  if (first <= from && to <= last) {
    highest[node] += value;
    lazy[node] += value;
    return;
  }
  const int middle = (from + to) / 2;
  Add(node * 2, from, middle, first, last, value);
  Add(node * 2 + 1, middle + 1, to, first, last, value);
  highest[node] = std::max(highest[node * 2], highest[node * 2 + 1]) + lazy[node];
}

static long Highest(int node, int from, int to, int first, int last) {
  if (last < from || to < first) return -(1L << 60);
  if (first <= from && to <= last) return highest[node];
  const int middle = (from + to) / 2;
  return std::max(Highest(node * 2, from, middle, first, last), Highest(node * 2 + 1, middle + 1, to, first, last)) +
         lazy[node];
}

int main() {
  constexpr int kSize = 1 << 18;
  highest.assign(2 * kSize, 0);
  lazy.assign(2 * kSize, 0);
  unsigned long seed = 1, checksum = 0;
  const auto random = [&] { return static_cast<int>((seed = seed * 6364136223846793005UL + 1) >> 34); };
  for (int i = 0; i < 2000000; ++i) {
    int first = random() % kSize, last = random() % kSize;
    if (first > last) std::swap(first, last);
    if (i % 2 == 0) Add(1, 0, kSize - 1, first, last, random() % 100 - 40);
    else checksum = checksum * 31 + static_cast<unsigned long>(Highest(1, 0, kSize - 1, first, last));
  }
  std::printf("%lu\n", checksum);
}
