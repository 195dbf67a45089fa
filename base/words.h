// The words of a line, taken one after the other; the last may have spaces.
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace tally {

class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  std::string_view Next() {
    const std::size_t space = std::min(rest_.find(' '), rest_.size());
    const std::string_view word = rest_.substr(0, space);
    rest_.remove_prefix(std::min(space + 1, rest_.size()));
    return word;
  }
  template <typename T>
  std::optional<T> Number(int base) {
    const std::string_view word = Next();
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return value;
  }
  [[nodiscard]] std::string Rest() const { return std::string(rest_); }

 private:
  std::string_view rest_;
};

}  // namespace tally
