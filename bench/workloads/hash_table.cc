// A std::unordered_map of numbers and one of strings.
#include <cstdio>
#include <string>
#include <unordered_map>

int main() {
  std::unordered_map<unsigned, unsigned long> numbers;
  std::unordered_map<std::string, int> words;
  unsigned long seed = 1, checksum = 0;
  const auto random = [&] { return static_cast<unsigned>((seed = seed * 6364136223846793005UL + 1) >> 33); };
  for (int i = 0; i < 9000000; ++i) {
    const unsigned key = random() % 300000;
    const auto found = numbers.find(key);
    if (found == numbers.end()) numbers.emplace(key, i);
    else if (i % 5 == 0) numbers.erase(found);
    else checksum += found->second++;
  }
  for (int i = 0; i < 4500000; ++i) checksum += static_cast<unsigned long>(++words["key" + std::to_string(random() % 20000)]);
  std::printf("%lu %zu %zu\n", checksum, numbers.size(), words.size());
}
