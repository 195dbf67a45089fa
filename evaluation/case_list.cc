#include "evaluation/case_list.h"

#include <algorithm>

namespace tally {
namespace {

constexpr std::size_t kLongestName = 1024;
constexpr std::size_t kMostCases = 10'000;

std::string Trimmed(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  return begin == std::string::npos ? "" : line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace

std::vector<std::string> ListedCases(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < text.size() && names.size() < kMostCases;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string name = Trimmed(text.substr(at, end - at));
    if (!name.empty() && name.size() <= kLongestName) names.push_back(name);
    at = end + 1;
  }
  return names;
}

}  // namespace tally
