// What style checkers print, as one shape.
//   lines       FILE:LINE[:COLUMN]: [SEVERITY: ][RULE ]MESSAGE[ [RULE]]   (flake8, pylint, clang-tidy, compilers)
//   cppcheck    cppcheck --xml
//   checkstyle  Checkstyle's XML
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evaluation/eval_response.h"

namespace tally {

bool IsStyleFormat(std::string_view format);
// Files are named relative to `folder`, what lies elsewhere is left out. UserError when the report cannot be read.
std::vector<StyleError> ReadStyleReport(std::string_view format, std::string_view text, std::string_view folder);

}  // namespace tally
