// Four threads of OpenMP share a loop as it comes, and note who did which of it.
#include <omp.h>

#include <cstdio>
#include <string>

int main() {
  long total = 0;
  std::string order(100, ' ');
#pragma omp parallel for num_threads(4) schedule(dynamic, 1) reduction(+ : total)
  for (int n = 0; n < 100; ++n) {
    long x = n;
    for (int i = 0; i < 2000; ++i) x = (x * 1103515245 + 12345) % 2147483648L;
    total += x;
    order[n] = static_cast<char>('a' + omp_get_thread_num());
  }
  std::printf("%ld %zu %s\n", total, order.size(), order.c_str());
}
