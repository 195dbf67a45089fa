// Two producers and two consumers with one bounded queue: each item is some work, handed over by a lock and conditions.
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

static constexpr int kItems = 20000;  // of each producer
static constexpr std::size_t kMost = 64;

static std::mutex lock;
static std::condition_variable not_full, not_empty;
static std::deque<std::uint64_t> items;
static int producers = 2;

static std::uint64_t Work(std::uint64_t x) {
  for (int i = 0; i < 10000; ++i) x = x * 6364136223846793005ULL + 1442695040888963407ULL, x ^= x >> 29;
  return x;
}

static void Produce(std::uint64_t seed) {
  for (int i = 0; i < kItems; ++i) {
    std::unique_lock<std::mutex> hold(lock);
    not_full.wait(hold, [] { return items.size() < kMost; });
    items.push_back(seed + static_cast<std::uint64_t>(i));
    not_empty.notify_one();
  }
  const std::lock_guard<std::mutex> hold(lock);
  if (--producers == 0) not_empty.notify_all();
}

static void Consume(std::uint64_t* sum) {
  for (;;) {
    std::unique_lock<std::mutex> hold(lock);
    not_empty.wait(hold, [] { return !items.empty() || producers == 0; });
    if (items.empty()) return;
    const std::uint64_t item = items.front();
    items.pop_front();
    not_full.notify_one();
    hold.unlock();
    *sum += Work(item);
  }
}

int main() {
  std::uint64_t sums[2] = {};
  std::vector<std::thread> threads;
  threads.emplace_back(Produce, 1);
  threads.emplace_back(Produce, 1000000007);
  threads.emplace_back(Consume, &sums[0]);
  threads.emplace_back(Consume, &sums[1]);
  for (std::thread& thread : threads) thread.join();
  std::printf("%llu\n", static_cast<unsigned long long>(sums[0] + sums[1]));
}
