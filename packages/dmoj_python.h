// Checkers and graders of DMOJ's that are Python modules, made of classes and functions of its judge: a program is made of each, which
// gives it as much of those as packages use, calls it, and says by testlib's protocol what it said.
// Source: the judge's documentation ("Custom checkers", "Custom graders", "Interactive problems").
#pragma once

#include <string>

namespace tally {

enum class DmojModule { kChecker, kGrader };

// The program's text. `name` is how messages call the module. Its arguments behind those of testlib's protocol are the points of the test
// and the checker's own arguments as JSON.
std::string ProgramOfDmojModule(DmojModule kind, const std::string& name, const std::string& source);

}  // namespace tally
