// What shows by reading a package's files alone: tests that are there twice, empty answers, files that nobody reads, points that are no
// hundred, a package without a model or without groups for some tests.
#pragma once

#include "packages/package.h"
#include "verify/section.h"

namespace tally {

Section VerifyFiles(const Package& package);

}  // namespace tally
