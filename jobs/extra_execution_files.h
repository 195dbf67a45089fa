// The key extra_execution_files: files beside the solution, in its folder.
#pragma once

#include <vector>

#include "jobs/environ.h"
#include "jobs/files.h"
#include "supervisor/sandbox/sandbox.h"

namespace tally {

// UserError names the key and the file.
std::vector<PlacedFile> ExtraExecutionFiles(const JobFiles& files, const Environ& environ);

}  // namespace tally
