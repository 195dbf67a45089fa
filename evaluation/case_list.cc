#include "evaluation/case_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace tally {
namespace {

constexpr std::size_t kLongestName = 1024;
constexpr std::size_t kMostCases = 10'000;

std::string Trimmed(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  return begin == std::string::npos ? "" : line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace

CaseNames ListedCases(const std::string& text) {
  CaseNames cases;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string name = Trimmed(text.substr(at, end - at));
    at = end + 1;
    if (name.empty()) continue;
    if (cases.names.size() < kMostCases) {
      cases.names.push_back(std::move(name));
    } else {
      ++cases.left_out;
    }
  }
  return cases;
}

std::string ShortName(const std::string& name) {
  if (name.size() <= kLongestName) return name;
  std::size_t end = kLongestName - 32;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;  // not in the middle of a letter
  return fmt::format("{}...{:016x}", name.substr(0, end), std::hash<std::string>()(name));
}

}  // namespace tally
