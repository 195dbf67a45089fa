// The options by which `tally evaluate` and `tally submit` make a request from files, in the place of one as JSON.
#pragma once

#include <string>

#include "base/command_line.h"
#include "evaluation/request_parts.h"

namespace tally {

void AddRequestParts(Command* command, RequestParts* parts);

// Whether a request is to be made from `parts`; else `path` is one. UserError when it is both, or neither.
bool CheckRequestParts(const RequestParts& parts, const std::string& path);

}  // namespace tally
