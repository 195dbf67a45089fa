// Four threads, each with a part of one sum, and an atomic number that all of them count up.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

int main() {
  constexpr int kThreads = 4;
  constexpr std::uint32_t kNumbers = 600'000'000;
  std::atomic<std::uint64_t> found{0};
  std::uint64_t sums[kThreads] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::uint64_t sum = 0;
      for (std::uint32_t i = static_cast<std::uint32_t>(t); i < kNumbers; i += kThreads) {
        std::uint32_t x = i;
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        sum += x % 1000;
        if (x % 64 == 0) found.fetch_add(1, std::memory_order_relaxed);
      }
      sums[t] = sum;
    });
  }
  std::uint64_t sum = 0;
  for (int t = 0; t < kThreads; ++t) threads[static_cast<std::size_t>(t)].join(), sum += sums[t];
  std::printf("%llu %llu\n", static_cast<unsigned long long>(sum), static_cast<unsigned long long>(found.load()));
}
