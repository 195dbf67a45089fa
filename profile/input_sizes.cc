#include "profile/input_sizes.h"

#include <algorithm>

namespace tally {

std::vector<std::uint64_t> InputSizes(const SizeOptions& options) {
  std::vector<std::uint64_t> sizes;
  const auto add = [&sizes](std::uint64_t n) {
    if (std::find(sizes.begin(), sizes.end(), n) == sizes.end()) sizes.push_back(n);
  };
  for (const std::uint64_t n : options.corner_cases) add(n);
  for (const std::uint64_t n : options.scales) {
    if (!options.n_max || n <= *options.n_max) add(n);
  }
  return sizes;
}

}  // namespace tally
