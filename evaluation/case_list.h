// The names of a test program's cases, as it lists them, and how one is asked for.
#pragma once

#include <string>
#include <vector>

#include "evaluation/stack_spec.h"

namespace tally {

// kLines: a line each. kGoogleTest: "Suite." and below it, indented, its tests. What cannot be a name is left out.
std::vector<std::string> ListedCases(CaseList how, const std::string& text);

// Catch2 reads a comma as "or" and brackets as tags; elsewhere a name is asked for as it is.
std::string AsTestSpec(CaseList how, const std::string& name);

}  // namespace tally
