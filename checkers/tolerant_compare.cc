#include "checkers/tolerant_compare.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <system_error>

#include "checkers/byte_class.h"

namespace tally {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// All of it. Infinities are words: everything would be within a relative tolerance of one.
std::optional<double> NumberIn(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// A text, taken piece by piece: runs of white space and words.
class Pieces {
 public:
  explicit Pieces(std::string_view text) : left_(text) {}

  std::string_view Space() {
    const std::string_view space = Take(true);
    line_ += static_cast<std::uint64_t>(std::count(space.begin(), space.end(), '\n'));
    return space;
  }
  Token Word() {
    const std::string_view word = Take(false);
    return word.empty() ? Token{} : Token{Token::Kind::kWord, word};
  }
  [[nodiscard]] std::uint64_t line() const { return line_; }

 private:
  std::string_view Take(bool space) {
    const auto end = std::find_if(left_.begin(), left_.end(), [space](char c) { return IsSpace(c) != space; });
    const std::string_view taken = left_.substr(0, static_cast<std::size_t>(end - left_.begin()));
    left_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view left_;
  std::uint64_t line_ = 1;
};

std::size_t SameBytes(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

bool AreSame(std::string_view expected, std::string_view got, const TolerantRules& rules) {
  if (expected == got) return true;
  const bool has_tolerance = rules.absolute_tolerance || rules.relative_tolerance;
  if (const auto wanted = has_tolerance ? NumberIn(expected) : std::nullopt) {
    const auto found = NumberIn(got);
    if (!found) return false;
    const double apart = std::abs(*wanted - *found);
    return (rules.absolute_tolerance && apart <= *rules.absolute_tolerance) ||
           (rules.relative_tolerance && apart <= *rules.relative_tolerance * std::abs(*wanted));
  }
  if (rules.case_sensitive) return false;
  return std::equal(expected.begin(), expected.end(), got.begin(), got.end(), [](char a, char b) { return Lower(a) == Lower(b); });
}

Token AsToken(std::string_view space) { return space.empty() ? Token{} : Token{Token::Kind::kWord, space}; }

}  // namespace

std::optional<TokenMismatch> CompareTolerantly(std::string_view expected, std::string_view got, const TolerantRules& rules) {
  Pieces wanted(expected), found(got);
  for (;;) {
    const std::uint64_t line = wanted.line();
    const std::string_view wanted_space = wanted.Space(), found_space = found.Space();
    if (rules.space_change_sensitive && wanted_space != found_space) {
      return TokenMismatch{line, AsToken(wanted_space), AsToken(found_space), SameBytes(wanted_space, found_space)};
    }
    const Token a = wanted.Word(), b = found.Word();
    if (a.kind != b.kind) return TokenMismatch{wanted.line(), a, b, 0};
    if (a.kind == Token::Kind::kEndOfFile) return std::nullopt;
    if (!AreSame(a.text, b.text, rules)) return TokenMismatch{wanted.line(), a, b, SameBytes(a.text, b.text)};
  }
}

}  // namespace tally
