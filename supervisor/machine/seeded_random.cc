#include "supervisor/machine/seeded_random.h"

#include <algorithm>
#include <cstring>

namespace tally {

// splitmix64 (Steele, Lea, Flood 2014): any fixed sequence would do. The state steps evenly, so streams begin at
// places that the mixing function throws far apart.
SeededRandom::SeededRandom(std::uint64_t seed, Stream stream) : state_(seed) {
  state_ = Next() + static_cast<std::uint64_t>(stream);
  state_ = Next();
}

std::uint64_t SeededRandom::Next() {
  state_ += 0x9e37'79b9'7f4a'7c15;
  std::uint64_t z = state_;
  z = (z ^ z >> 30) * 0xbf58'476d'1ce4'e5b9;
  z = (z ^ z >> 27) * 0x94d0'49bb'1331'11eb;
  return z ^ z >> 31;
}

void SeededRandom::Fill(void* data, std::size_t size) {
  auto* at = static_cast<unsigned char*>(data);
  while (size > 0) {
    const std::uint64_t word = Next();
    const std::size_t n = std::min(size, sizeof word);
    std::memcpy(at, &word, n);
    at += n;
    size -= n;
  }
}

}  // namespace tally
