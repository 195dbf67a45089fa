// Solutions that are no whole programs: functions, which the package's grader (CMS), stub or library (sinol) makes a program of.
#pragma once

#include "jobs/compilation.h"
#include "packages/package.h"

namespace tally {

// To the compilation of a solution what its language's grader brings. UserError where the package has graders and none for it.
void AddGrader(const Package& package, CompileRequest* request);

}  // namespace tally
