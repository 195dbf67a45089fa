// A text in lines.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tally {

// Without their ends; what stands behind the last end is a line if it is not empty.
inline std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

}  // namespace tally
