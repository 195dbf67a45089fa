// What coverage tools print, as one shape.
//   gcov       gcov --json-format --stdout: a JSON object for each object file, a line each
//   cobertura  coverage xml
//   jacoco     JaCoCo's XML
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evaluation/eval_response.h"

namespace tally {

bool IsCoverageFormat(std::string_view format);
// Of the files in `solution`, paths relative to the solution's folder; of a file that is in several reports the sum.
// UserError when the report cannot be read.
std::vector<FileCoverage> ReadCoverageReport(std::string_view format, std::string_view text,
                                             const std::vector<std::string>& solution);

}  // namespace tally
