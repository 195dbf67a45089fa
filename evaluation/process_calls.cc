#include "evaluation/process_calls.h"

#include <algorithm>

namespace tally {
namespace {

bool IsOfName(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

bool Calls(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    if (at > 0 && IsOfName(text[at - 1])) continue;
    const std::size_t next = text.find_first_not_of(" \t\r\n", at + name.size());
    if (next != std::string_view::npos && text[next] == '(') return true;
  }
  return false;
}

}  // namespace

bool CallsOneOf(std::string_view text, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return Calls(text, name); });
}

bool CallOneOf(const std::vector<EvalFile>& files, const std::vector<std::string>& names) {
  return std::any_of(files.begin(), files.end(), [&](const EvalFile& file) { return CallsOneOf(file.content, names); });
}

}  // namespace tally
