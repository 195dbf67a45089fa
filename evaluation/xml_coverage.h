// The two XML reports of line coverage that tools for Python and Java write.
//   Cobertura's, by coverage.py    <class filename="date.py"> with <line number hits condition-coverage="50% (1/2)">
//   JaCoCo's                       <package name="de/example"> <sourcefile name="Date.java"> <line nr mi ci mb cb>
#pragma once

#include <string_view>
#include <vector>

#include "evaluation/eval_response.h"

namespace tally {

// Files are called as the report calls them: relative to a source folder or a package's root, or by their full path.
// Of a file without branches the branches are 0 of 0. UserError when the report cannot be read.
std::vector<FileCoverage> ReadCobertura(std::string_view xml);
std::vector<FileCoverage> ReadJacoco(std::string_view xml);

}  // namespace tally
