#include "checkers/compare_rules.h"

#include <algorithm>
#include <vector>

#include "checkers/byte_class.h"

namespace tally {
namespace {

using Kind = CompareRules::Kind;

std::string_view WithoutSpaceAtEnd(std::string_view line) {
  while (!line.empty() && IsSpace(line.back())) line.remove_suffix(1);
  return line;
}

// Takes a text line by line. Past the last line that is not empty there is nothing.
class Lines {
 public:
  explicit Lines(std::string_view text) : left_(WithoutSpaceAtEnd(text)) {}
  [[nodiscard]] bool done() const { return left_.empty(); }
  Token Take() {
    if (done()) return {};
    const std::size_t end = std::min(left_.find('\n'), left_.size());
    const std::string_view line = WithoutSpaceAtEnd(left_.substr(0, end));
    left_.remove_prefix(std::min(end + 1, left_.size()));
    return line.empty() ? Token{Token::Kind::kEndOfLine, {}} : Token{Token::Kind::kWord, line};
  }

 private:
  std::string_view left_;
};

std::size_t SameBytes(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

TokenMismatch MismatchOf(std::uint64_t line, const Token& a, const Token& b) {
  return {line, a, b, a.kind == Token::Kind::kWord && b.kind == Token::Kind::kWord ? SameBytes(a.text, b.text) : 0};
}

std::optional<TokenMismatch> CompareLines(std::string_view expected, std::string_view got) {
  Lines wanted(expected), found(got);
  for (std::uint64_t line = 1; !wanted.done() || !found.done(); ++line) {
    const Token a = wanted.Take(), b = found.Take();
    if (a != b) return MismatchOf(line, a, b);
  }
  return std::nullopt;
}

// The line in which the first other byte stands, from that byte on.
std::optional<TokenMismatch> CompareBytes(std::string_view expected, std::string_view got) {
  const std::size_t same = SameBytes(expected, got);
  if (same == expected.size() && same == got.size()) return std::nullopt;
  const auto rest = [same](std::string_view text) {
    if (text.size() <= same) return Token{};
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(same);
    const auto end = std::find(begin + 1, text.end(), '\n');  // the byte itself may be a line's end
    return Token{Token::Kind::kWord, std::string_view(begin, end)};
  };
  const auto line = 1 + std::count(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(same), '\n');
  return TokenMismatch{static_cast<std::uint64_t>(line), rest(expected), rest(got), 0};
}

std::vector<std::string_view> SortedWords(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    if (IsSpace(text[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && !IsSpace(text[at])) ++at;
    words.push_back(text.substr(begin, at - begin));
  }
  std::sort(words.begin(), words.end());
  return words;
}

std::vector<std::string_view> SortedLines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (Lines left(text); !left.done();) {
    if (const Token line = left.Take(); line.kind == Token::Kind::kWord) lines.push_back(line.text);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::optional<TokenMismatch> CompareSorted(const std::vector<std::string_view>& expected, const std::vector<std::string_view>& got) {
  const auto [a, b] = std::mismatch(expected.begin(), expected.end(), got.begin(), got.end());
  if (a == expected.end() && b == got.end()) return std::nullopt;
  const Token wanted = a == expected.end() ? Token{} : Token{Token::Kind::kWord, *a};
  const Token found = b == got.end() ? Token{} : Token{Token::Kind::kWord, *b};
  return MismatchOf(static_cast<std::uint64_t>(a - expected.begin()) + 1, wanted, found);
}

CompareRules Within(double tolerance) {
  return {Kind::kTolerant, {.case_sensitive = true, .absolute_tolerance = tolerance, .relative_tolerance = tolerance}};
}

}  // namespace

std::optional<CompareRules> TestlibCompare(std::string_view name) {
  constexpr std::string_view kPrefix = "std::", kSuffix = ".cpp";
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return std::nullopt;
  name = name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size());
  // Numbers must be written in one way alone, so the same numbers are the same words.
  for (const std::string_view words : {"wcmp", "ncmp", "icmp", "hcmp"}) {
    if (name == words) return kSameWords;
  }
  if (name == "yesno" || name == "nyesno") return CompareRules{Kind::kTolerant, {}};
  if (name == "lcmp") return CompareRules{Kind::kTokens};
  if (name == "rcmp") return Within(1.5e-6);
  if (name == "rcmp4") return Within(1e-4);
  if (name == "rcmp6") return Within(1e-6);
  if (name == "rcmp9") return Within(1e-9);
  return std::nullopt;
}

std::optional<TokenMismatch> CompareBy(const CompareRules& rules, std::string_view expected, std::string_view got) {
  switch (rules.kind) {
    case Kind::kTokens: return CompareTokens(expected, got);
    case Kind::kTolerant: return CompareTolerantly(expected, got, rules.tolerant);
    case Kind::kLines: return CompareLines(expected, got);
    case Kind::kBytes: return CompareBytes(expected, got);
    case Kind::kUnorderedWords: return CompareSorted(SortedWords(expected), SortedWords(got));
    case Kind::kUnorderedLines: return CompareSorted(SortedLines(expected), SortedLines(got));
  }
  return std::nullopt;
}

}  // namespace tally
