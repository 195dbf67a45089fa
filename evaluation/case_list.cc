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

std::vector<std::string> ListedCases(CaseList how, const std::string& text) {
  std::vector<std::string> names;
  std::string group;  // GoogleTest's "Suite."
  for (std::size_t at = 0; at < text.size() && names.size() < kMostCases;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const std::string name = Trimmed(how == CaseList::kGoogleTest ? line.substr(0, line.find("  # ")) : line);
    if (name.empty() || name.size() > kLongestName) continue;
    if (how == CaseList::kGoogleTest && line.front() != ' ') {
      group = name.back() == '.' ? name : "";  // others are what the program printed
    } else if (how != CaseList::kGoogleTest || !group.empty()) {
      names.push_back(group + name);
    }
  }
  return names;
}

std::string AsTestSpec(CaseList how, const std::string& name) {
  if (how != CaseList::kLines) return name;
  std::string out;
  for (const char c : name) {
    if (c == ',' || c == '[' || c == ']' || c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace tally
