// The built-in comparisons by what they compare: one for each that packages ask for by a name. Pure; in memory that grows with the texts
// only where order does not matter.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "checkers/tokens.h"
#include "checkers/tolerant_compare.h"

namespace tally {

struct CompareRules {
  enum class Kind : std::uint8_t {
    kTokens,          // tokens.h: words and line ends
    kTolerant,        // tolerant_compare.h: words, by `tolerant`
    kLines,           // lines, but for white space at their ends and empty lines at the end
    kBytes,           // every byte
    kUnorderedWords,  // the same words in any order
    kUnorderedLines,  // the same lines in any order, but for white space at their ends and empty lines
  };
  Kind kind = Kind::kTokens;
  TolerantRules tolerant = {};

  bool operator==(const CompareRules&) const = default;
};

// Words, letter for letter, with any white space between them.
inline constexpr CompareRules kSameWords{CompareRules::Kind::kTolerant, {.case_sensitive = true}};

// testlib's own checkers, by the name that Polygon gives them ("std::wcmp.cpp"), and what their sources say that they compare: wcmp, lcmp,
// ncmp, icmp, hcmp, rcmp, rcmp4, rcmp6, rcmp9, yesno, nyesno. nullopt: another one.
std::optional<CompareRules> TestlibCompare(std::string_view name);

// nullopt: the same. For texts without order the first line or word by order of bytes that one of them lacks.
std::optional<TokenMismatch> CompareBy(const CompareRules& rules, std::string_view expected, std::string_view got);

}  // namespace tally
