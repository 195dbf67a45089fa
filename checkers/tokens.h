// The default comparison: are these two texts the same sequence of tokens? The rules are those contestants
// know from SIO: words are compared byte for byte (no numbers: "1.0" is not "1"), blanks between them do not
// matter, line ends do, and what is left of one text after the other has ended may be only blanks and LFs.
// Pure: no files, no state; both texts may be mapped files, and no byte past their ends is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tally {

struct Token {
  enum class Kind : std::uint8_t { kWord, kEndOfLine, kEndOfFile };
  Kind kind = Kind::kEndOfFile;
  std::string_view text;  // of a word; a view into the text compared

  bool operator==(const Token&) const = default;
};

// The first pair of tokens that differ.
struct TokenMismatch {
  std::uint64_t line = 1;  // one more than the line ends that matched before
  Token expected;
  Token got;
  std::size_t same_bytes = 0;  // with which both begin, if both are words

  bool operator==(const TokenMismatch&) const = default;
};

// nullopt: the same tokens. Runs at about the speed of memory, also where the white space differs everywhere.
std::optional<TokenMismatch> CompareTokens(std::string_view expected, std::string_view got);

}  // namespace tally
