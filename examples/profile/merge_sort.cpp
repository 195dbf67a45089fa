// Growth n log n: reads an array, sorts it by merging, prints the middle.
#include <cstdio>
#include <vector>

static void Sort(std::vector<int>& values, std::vector<int>& spare, std::size_t from, std::size_t to) {
  if (to - from < 2) return;
  const std::size_t middle = from + (to - from) / 2;
  Sort(values, spare, from, middle);
  Sort(values, spare, middle, to);
  std::size_t left = from, right = middle;
  for (std::size_t i = from; i < to; ++i) {
    const bool take_left = right == to || (left < middle && values[left] <= values[right]);
    spare[i] = take_left ? values[left++] : values[right++];
  }
  for (std::size_t i = from; i < to; ++i) values[i] = spare[i];
}

int main() {
  std::size_t n;
  if (std::scanf("%zu", &n) != 1) return 1;
  std::vector<int> values(n), spare(n);
  for (int& value : values) {
    if (std::scanf("%d", &value) != 1) return 1;
  }
  Sort(values, spare, 0, n);
  std::printf("%d\n", n == 0 ? 0 : values[n / 2]);
}
