// The comparison as its rules are told, slow and simple, with nothing of the real one inside: what the fast
// ones are held to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "checkers/tokens.h"

namespace tally {

inline std::vector<Token> NaiveTokens(std::string_view text) {
  std::vector<Token> tokens;
  bool in_word = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '\0':
      case '\t':
      case '\v':
      case '\r':
      case ' ':
        in_word = false;
        break;
      case '\n':
        in_word = false;
        tokens.push_back({Token::Kind::kEndOfLine, {}});
        break;
      default:
        if (!in_word) tokens.push_back({Token::Kind::kWord, text.substr(i, 0)});
        in_word = true;
        tokens.back().text = {tokens.back().text.data(), tokens.back().text.size() + 1};
    }
  }
  return tokens;
}

inline std::optional<TokenMismatch> NaiveCompare(std::string_view expected, std::string_view got) {
  const std::vector<Token> a = NaiveTokens(expected);
  const std::vector<Token> b = NaiveTokens(got);
  const auto at = [](const std::vector<Token>& tokens, std::size_t i) {
    return i < tokens.size() ? tokens[i] : Token{};
  };
  TokenMismatch mismatch;
  std::size_t i = 0;
  for (; i < a.size() && i < b.size() && a[i] == b[i]; ++i) {
    if (a[i].kind == Token::Kind::kEndOfLine) ++mismatch.line;
  }
  std::size_t in_a = i;
  std::size_t in_b = i;
  if (i >= a.size()) {
    while (at(b, in_b).kind == Token::Kind::kEndOfLine) ++in_b;
  }
  if (i >= b.size()) {
    while (at(a, in_a).kind == Token::Kind::kEndOfLine) ++in_a;
  }
  mismatch.expected = at(a, in_a);
  mismatch.got = at(b, in_b);
  if (mismatch.expected == mismatch.got) return std::nullopt;
  const std::string_view x = mismatch.expected.text;
  const std::string_view y = mismatch.got.text;
  while (mismatch.same_bytes < std::min(x.size(), y.size()) &&
         x[mismatch.same_bytes] == y[mismatch.same_bytes]) {
    ++mismatch.same_bytes;
  }
  return mismatch;
}

}  // namespace tally
