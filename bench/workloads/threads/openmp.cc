// Products of matrices and a reduction by OpenMP, with four threads.
#include <cstdio>
#include <vector>

int main() {
  constexpr int n = 320;
  std::vector<double> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) a[static_cast<std::size_t>(i)] = i % 7, b[static_cast<std::size_t>(i)] = i % 5;
  double sum = 0;
  for (int round = 0; round < 20; ++round) {
#pragma omp parallel for num_threads(4) schedule(static)
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double x = 0;
        for (int k = 0; k < n; ++k) x += a[static_cast<std::size_t>(i * n + k)] * b[static_cast<std::size_t>(k * n + j)];
        c[static_cast<std::size_t>(i * n + j)] = x;
      }
    }
#pragma omp parallel for num_threads(4) reduction(+ : sum)
    for (int i = 0; i < n * n; ++i) sum += c[static_cast<std::size_t>(i)];
    a[static_cast<std::size_t>(round)] += 1;
  }
  std::printf("%.0f\n", sum);
}
