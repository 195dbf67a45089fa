// A std::map under insertions, look-ups, erasures and walks.
#include <cstdio>
#include <map>

int main() {
  std::map<unsigned, unsigned long> map;
  unsigned long seed = 1, checksum = 0;
  const auto random = [&] { return static_cast<unsigned>((seed = seed * 6364136223846793005UL + 1) >> 33); };
  for (int i = 0; i < 2500000; ++i) {
    const unsigned key = random() % 100000;
    switch (random() % 4) {
      case 0: map.erase(key); break;
      case 1: {
        const auto found = map.lower_bound(key);
        if (found != map.end()) checksum += found->second;
        break;
      }
      default: map[key] += key;
    }
  }
  for (const auto& [key, value] : map) checksum = checksum * 31 + key + value;
  std::printf("%lu\n", checksum);
}
