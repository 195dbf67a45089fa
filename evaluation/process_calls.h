// Do tests make processes? Where they do not, their solution may not either: one that forks can return another guess in
// each child, see by the child's end or by how far it came which guess was right, and return that one itself.
//
// Looked for is the text of a call: a name of a list, and an opening parenthesis. So who writes tests for a solution that
// is to make processes itself says so by a call, be it in a comment: // fork()
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evaluation/eval_request.h"

namespace tally {

bool CallsOneOf(std::string_view text, const std::vector<std::string>& names);
// Any of the files does.
bool CallOneOf(const std::vector<EvalFile>& files, const std::vector<std::string>& names);

}  // namespace tally
