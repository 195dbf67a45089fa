// Multiplication of large polynomials by a fast Fourier transform of doubles, its roots from sin and cos.
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

using Complex = std::complex<double>;

static void Transform(std::vector<Complex>* values, double sign) {
  std::vector<Complex>& a = *values;
  const std::size_t n = a.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(a[i], a[j]);
  }
  for (std::size_t length = 2; length <= n; length <<= 1) {
    std::vector<Complex> roots(length / 2);
    for (std::size_t k = 0; k < length / 2; ++k) {
      const double angle = sign * 2 * M_PI * static_cast<double>(k) / static_cast<double>(length);
      roots[k] = {std::cos(angle), std::sin(angle)};
    }
    for (std::size_t i = 0; i < n; i += length) {
      for (std::size_t k = 0; k < length / 2; ++k) {
        const Complex u = a[i + k];
        const Complex w = a[i + k + length / 2], r = roots[k];
        const Complex v(w.real() * r.real() - w.imag() * r.imag(), w.real() * r.imag() + w.imag() * r.real());
        a[i + k] = u + v;
        a[i + k + length / 2] = u - v;
      }
    }
  }
}

int main() {
  constexpr std::size_t kSize = 1 << 19;
  std::vector<Complex> a(kSize);
  for (std::size_t i = 0; i < kSize / 2; ++i) a[i] = static_cast<double>(i * 7919 % 1000);
  unsigned long checksum = 0;
  for (int round = 0; round < 4; ++round) {
    Transform(&a, 1);
    for (Complex& x : a) x = x * x;
    Transform(&a, -1);
    for (Complex& x : a) {
      const auto whole = static_cast<unsigned long>(std::llround(x.real() / kSize));
      checksum = checksum * 31 + whole;
      x = static_cast<double>(whole % 1000);
    }
    for (std::size_t i = kSize / 2; i < kSize; ++i) a[i] = 0;
  }
  std::printf("%lu\n", checksum);
}
