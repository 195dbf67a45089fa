// The checker of a package's own: it accepts the package's answers and refuses wrong ones, which are made of them.
#pragma once

#include "jobs/judging.h"
#include "packages/package.h"
#include "verify/section.h"

namespace tally {

Section VerifyChecker(const Package& package, const Judging& judging, const VerifyProgress& progress);

}  // namespace tally
