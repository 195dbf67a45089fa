// Whether the time limit separates those that should pass from those that should not, by instructions: exact counts, one run each, no noise.
//
// A second stands for 2,000,000,000 instructions, as in vcpu-exec. The slowest of those that are right and the fastest of those that
// are too slow are what a limit lies between; how far they are apart no machine changes.
#pragma once

#include <optional>
#include <vector>

#include "jobs/judging.h"
#include "packages/package.h"
#include "verify/section.h"

namespace tally {

// What was found of a package's submissions, beside them: as they are judged, and by instructions, with a limit far above the package's.
struct JudgedTwice {
  const std::vector<SolutionReport>& judged;
  const std::vector<SolutionReport>& counted;
};

// "2.00 s is 3.1 times the slowest that is right (a.cpp, test 3: 0.65 s) and 1.4 times below the fastest that is too slow (...)". Right is
// who should be, or is and nobody says otherwise; too slow who meets the limit as it is judged.
struct TimeLimitFinding {
  Section section;
  // A round limit between the two, with a distance from both; where the package's own has one, or none has, there is none.
  std::optional<Nanoseconds> better;
};
TimeLimitFinding VerifyTimeLimit(const Package& package, Nanoseconds limit, const JudgedTwice& reports);

// In the middle of what separates them, by factors, as people would say it: 0.7 s, 1.5 s, 12 s. nullopt: nothing does. `slow`: of the
// fastest that is too slow; 0: nobody is.
std::optional<Nanoseconds> LimitBetween(Nanoseconds right, Nanoseconds slow);

}  // namespace tally
