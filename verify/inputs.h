// Inputs: the package's validators pass every test, refuse what is broken, and its generators print the tests, the same each time.
#pragma once

#include "packages/package.h"
#include "supervisor/api/run_request.h"
#include "verify/section.h"

namespace tally {

Section VerifyInputs(const Package& package, Isolation isolation, const VerifyProgress& progress);
Section VerifyBrokenInputs(const Package& package, Isolation isolation, const VerifyProgress& progress);
Section VerifyGenerators(const Package& package, Isolation isolation, const VerifyProgress& progress);

}  // namespace tally
