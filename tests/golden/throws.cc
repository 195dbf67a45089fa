// Exceptions through libstdc++: what unwinds a frame is searched for in a table of the libraries by address
// (docs/virtual-cpu.md, "Large mappings").
#include <cstdio>
#include <stdexcept>
#include <string>

int main() {
  long sum = 0;
  for (int i = 0; i < 300; ++i) {
    try {
      throw std::runtime_error(std::to_string(i));
    } catch (const std::exception& e) {
      sum += e.what()[0];
    }
  }
  std::printf("%ld\n", sum);
}
