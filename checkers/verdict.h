// CheckerVerdict is what any checker, ours or theirs, says about one output. A checker that breaks is neither
// right nor wrong about the output: that is an outcome of its own and becomes SE, never a silent OK or WA.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "checkers/percentage.h"

namespace tally {

struct CheckerVerdict {
  enum class Outcome : std::uint8_t { kAccepted, kWrong, kCheckerFailed };

  // A verdict that nobody has filled in is no acceptance.
  Outcome outcome = Outcome::kCheckerFailed;
  // For the contestant: the checker's own words, perhaps none. If the checker failed: one sentence that says
  // what it did wrong, for whoever wrote it.
  std::string comment;
  Percentage percentage = kNoPoints;  // unless accepted

  static CheckerVerdict Accepted(Percentage percentage, std::string comment) {
    return {Outcome::kAccepted, std::move(comment), percentage};
  }
  static CheckerVerdict Wrong(std::string comment) {
    return {Outcome::kWrong, std::move(comment), kNoPoints};
  }
  static CheckerVerdict CheckerFailed(std::string sentence) {
    return {Outcome::kCheckerFailed, std::move(sentence), kNoPoints};
  }

  bool operator==(const CheckerVerdict&) const = default;
};

}  // namespace tally
