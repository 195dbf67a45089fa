// Submissions: each gets the verdicts that its setter promises, and the points; the model's output is what the package expects.
#pragma once

#include <vector>

#include "jobs/judging.h"
#include "packages/package.h"
#include "verify/section.h"

namespace tally {

// `reports` beside the package's submissions.
Section VerifySubmissions(const Package& package, const std::vector<SolutionReport>& reports);

}  // namespace tally
