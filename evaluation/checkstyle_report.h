// Checkstyle's XML:  <file name="/box/solution/Date.java"> <error line column severity message source>
#pragma once

#include <string_view>
#include <vector>

#include "evaluation/eval_response.h"

namespace tally {

// Files are named relative to `folder`, what lies elsewhere is left out. A rule is the last word of its class, without
// "Check". UserError when the report cannot be read.
std::vector<StyleError> ReadCheckstyle(std::string_view xml, std::string_view folder);

}  // namespace tally
