// Four threads take numbers off a queue and put what they make of them into a list, in the order in which they happen to; then the same
// sums by std::async.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static long work(long x) {
  for (int i = 0; i < 2000; ++i) x = (x * 1103515245 + 12345) % 2147483648L;
  return x;
}

static std::mutex lock;
static std::condition_variable filled;
static std::deque<int> queue;
static long total = 0;
static std::string order;

static int next() {
  std::unique_lock held(lock);
  filled.wait(held, [] { return !queue.empty(); });
  const int n = queue.front();
  queue.pop_front();
  return n;
}

static void take(char me) {
  for (int n; (n = next()) >= 0;) {
    const long made = work(n);
    const std::lock_guard held(lock);
    total += made;
    order += me;
  }
}

static void put(int n) {
  const std::lock_guard held(lock);
  queue.push_back(n);
  filled.notify_one();
}

int main() {
  std::vector<std::thread> threads;
  for (char me = 'a'; me <= 'd'; ++me) threads.emplace_back(take, me);
  for (int n = 0; n < 100; ++n) put(n);
  for (int i = 0; i < 4; ++i) put(-1);
  for (std::thread& thread : threads) thread.join();
  std::vector<std::future<long>> made;
  for (int n = 0; n < 100; n += 10) made.push_back(std::async(std::launch::async, work, n));
  for (auto& one : made) total += one.get();
  std::printf("%ld %zu %s\n", total, order.size(), order.c_str());
}
