// The sieve of Eratosthenes, on bytes and on a vector<bool>, and sums of divisors.
#include <cstdio>
#include <vector>

static long Primes(std::vector<char>* composite) {
  const long size = static_cast<long>(composite->size()) - 1;
  long primes = 0;
  for (long i = 2; i <= size; ++i) {
    if ((*composite)[i] != 0) continue;
    ++primes;
    for (long j = i * i; j <= size; j += i) (*composite)[j] = 1;
  }
  return primes;
}

int main() {
  constexpr int kSize = 20000000;
  long checksum = 0;
  for (int round = 0; round < 5; ++round) {
    std::vector<char> composite(kSize + 1 + round);
    checksum = checksum * 3 + Primes(&composite);
    std::vector<bool> bits(kSize / 4);
    for (int i = 2; i < kSize / 4; ++i) {
      if (bits[i]) continue;
      ++checksum;
      for (long j = static_cast<long>(i) * i; j < kSize / 4; j += i) bits[j] = true;
    }
    std::vector<int> divisors(kSize / 10);
    for (int i = 1; i < kSize / 10; ++i) {
      for (int j = i; j < kSize / 10; j += i) ++divisors[j];
    }
    checksum += divisors[720720 + round];
  }
  std::printf("%ld\n", checksum);
}
