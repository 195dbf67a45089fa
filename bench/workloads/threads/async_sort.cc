// A merge sort whose halves std::async sorts, down to parts of some size: many short threads.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <future>
#include <vector>

using Numbers = std::vector<std::uint32_t>;

static void Sort(Numbers::iterator from, Numbers::iterator to) {
  if (to - from <= 100000) {
    std::sort(from, to);
    return;
  }
  const auto middle = from + (to - from) / 2;
  std::future<void> left = std::async(std::launch::async, [=] { Sort(from, middle); });
  Sort(middle, to);
  left.get();
  std::inplace_merge(from, middle, to);
}

int main() {
  Numbers numbers(8'000'000);
  std::uint32_t state = 1;
  for (std::uint32_t& x : numbers) x = state = state * 1664525 + 1013904223;
  Sort(numbers.begin(), numbers.end());
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < numbers.size(); i += 1000) sum = sum * 31 + numbers[i];
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
}
