// Growth log n: a thousand searches for the square root of a number below n, each by halving.
#include <cstdint>
#include <cstdio>

int main() {
  std::uint64_t n;
  if (std::scanf("%llu", reinterpret_cast<unsigned long long*>(&n)) != 1) return 1;
  std::uint64_t sum = 0, number = 1;
  for (int query = 0; query < 1000; ++query) {
    number = number * 6364136223846793005u + 1442695040888963407u;
    std::uint64_t low = 0, high = n + 1;
    while (high - low > 1) {
      const std::uint64_t middle = (low + high) / 2;
      if (middle * middle <= (number >> 33) % (n * n + 1)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    sum += low;
  }
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
}
