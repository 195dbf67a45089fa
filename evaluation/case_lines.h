// The test run's own words in an answer (`output`): what a test runner prints in a terminal, a line for each case. Every stack has the same,
// whatever its framework would print; what the test process said besides stands before it.
#pragma once

#include <string_view>

#include "base/units.h"
#include "evaluation/eval_response.h"

namespace tally {

// The line that the list begins with goes on with how many passed.
inline constexpr std::string_view kCaseLinesBegin = "Cases: ";

// "Cases: 1 of 2 passed" and a line for each, behind what is in `output` already; nothing where there is no case. Together they are no longer
// than `most`, or cut.
void AddCaseLines(Characters most, EvaluationResult* tests);

}  // namespace tally
