// What solutions are made of, in small: map, set, sort, unordered_map, string, deque, priority_queue.
#include <algorithm>
#include <cstdio>
#include <deque>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

int main() {
  std::map<int, int> map;
  std::unordered_map<std::string, int> words;
  std::set<long> set;
  std::vector<int> numbers;
  std::deque<int> deque;
  std::priority_queue<int> heap;
  unsigned seed = 7;
  for (int i = 0; i < 40; ++i) {
    seed = seed * 1664525 + 1013904223;
    const int x = static_cast<int>(seed >> 20);
    map[x % 50] += x;
    ++words["word" + std::to_string(x % 20)];
    set.insert(x);
    numbers.push_back(x);
    if (i % 3 == 0) deque.push_front(x);
    else deque.push_back(x);
    heap.push(x);
  }
  std::sort(numbers.begin(), numbers.end());
  std::stable_sort(deque.begin(), deque.end(), [](int a, int b) { return a % 10 < b % 10; });
  long sum = 0;
  for (const auto& [key, value] : map) sum = sum * 3 % 1000003 + key * value;
  for (int i = 0; i < 20; ++i) sum += words["word" + std::to_string(i)] * i;
  for (const long x : set) sum += x % 5;
  for (; !heap.empty(); heap.pop()) sum = (sum * 7 + heap.top()) % 1000003;
  sum += *std::lower_bound(numbers.begin(), numbers.end(), 2000) + deque[30];
  std::printf("%ld\nEND\n", sum);
  return 0;
}
