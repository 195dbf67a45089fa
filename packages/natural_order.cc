#include "packages/natural_order.h"

#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstdint>

namespace tally {

bool NaturallyBefore(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      std::uint64_t x = 0, y = 0;
      const auto end_a = std::from_chars(a.data() + i, a.data() + a.size(), x).ptr;
      const auto end_b = std::from_chars(b.data() + j, b.data() + b.size(), y).ptr;
      if (x != y) return x < y;
      i = static_cast<std::size_t>(end_a - a.data());
      j = static_cast<std::size_t>(end_b - b.data());
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

}  // namespace tally
