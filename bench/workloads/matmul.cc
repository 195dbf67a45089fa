// Matrix multiplication: integers modulo a prime, and doubles.
#include <cstdio>
#include <vector>

int main() {
  constexpr int kSize = 420;
  constexpr unsigned long kPrime = 1000000007;
  std::vector<std::vector<unsigned long>> a(kSize, std::vector<unsigned long>(kSize)), b = a, c = a;
  std::vector<std::vector<double>> x(kSize, std::vector<double>(kSize)), y = x, z = x;
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j) {
      a[i][j] = static_cast<unsigned long>(i * 31 + j * 17) % kPrime;
      b[i][j] = static_cast<unsigned long>(i) * 1234567UL * static_cast<unsigned long>(j) % kPrime;
      x[i][j] = i + j, y[i][j] = i - j;
    }
  }
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < kSize; ++i) {
      for (int j = 0; j < kSize; ++j) {
        unsigned long sum = 0;
        for (int k = 0; k < kSize; ++k) sum = (sum + a[i][k] * b[k][j]) % kPrime;
        c[i][j] = sum;
      }
    }
    for (int i = 0; i < kSize; ++i) {
      for (int k = 0; k < kSize; ++k) {
        for (int j = 0; j < kSize; ++j) z[i][j] += x[i][k] * y[k][j];
      }
    }
    a = c;
  }
  std::printf("%lu %.0f\n", c[17][200], z[100][300]);
}
