// The options by which `tally evaluate` and `tally submit` make a request from files, in the place of one as JSON.
#pragma once

#include <string>

#include "dispatcher/submit_request.h"

namespace CLI {
class App;
}

namespace tally {

void AddRequestParts(CLI::App* command, RequestParts* parts);

// Whether a request is to be made from `parts`; else `path` is one. UserError when it is both, or neither.
bool CheckRequestParts(const RequestParts& parts, const std::string& path);

}  // namespace tally
