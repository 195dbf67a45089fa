// The comparison that Kattis packages ask for where they bring no output validator: tokens without regard to case, to white space and,
// by option, to small differences of numbers. Rules: the validator flags of the problem package format, "Default Validator
// Capabilities" (legacy and 2023-07).
#pragma once

#include <optional>
#include <string_view>

#include "checkers/tokens.h"

namespace tally {

struct TolerantRules {
  bool case_sensitive = false;
  bool space_change_sensitive = false;
  // Where either is there, an expected token that is a number is compared as one: by either it may be right.
  std::optional<double> absolute_tolerance, relative_tolerance;

  bool operator==(const TolerantRules&) const = default;
};

// nullopt: the same. Without regard to space, lines are counted in the expected text; white space that matters is told as a word.
std::optional<TokenMismatch> CompareTolerantly(std::string_view expected, std::string_view got, const TolerantRules& rules);

}  // namespace tally
