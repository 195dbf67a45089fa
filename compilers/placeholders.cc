#include "compilers/placeholders.h"

#include <algorithm>

namespace tally {
namespace {

// The end of the placeholder that starts at `open`, or npos. "{gcc}" is one, "{ x }" and "{}" are not.
std::size_t PlaceholderEnd(std::string_view word, std::size_t open) {
  const std::size_t close =
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-", open + 1);
  return close != std::string_view::npos && word[close] == '}' && close > open + 1 ? close
                                                                                   : std::string_view::npos;
}

}  // namespace

std::vector<std::string> PlaceholdersIn(std::string_view word) {
  std::vector<std::string> names;
  for (std::size_t open = word.find('{'); open != std::string_view::npos; open = word.find('{', open + 1)) {
    const std::size_t close = PlaceholderEnd(word, open);
    if (close != std::string_view::npos) names.emplace_back(word.substr(open + 1, close - open - 1));
  }
  return names;
}

std::string FillIn(std::string_view word, const PlaceholderValues& values) {
  std::string out;
  for (std::size_t i = 0; i < word.size();) {
    const std::size_t close = word[i] == '{' ? PlaceholderEnd(word, i) : std::string_view::npos;
    if (close == std::string_view::npos) {
      out += word[i++];
      continue;
    }
    const std::string_view name = word.substr(i + 1, close - i - 1);
    const auto value =
        std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == name; });
    out += value != values.end() ? std::string_view(value->second) : word.substr(i, close - i + 1);
    i = close + 1;
  }
  return out;
}

}  // namespace tally
