// Problems where the outputs themselves are handed in (CMS' output only): a solution is a folder of them, and nothing is run.
#pragma once

#include <string>
#include <vector>

#include "base/units.h"
#include "jobs/checking.h"
#include "packages/package.h"

namespace tally {

// A test's result, as RunTest's: WA where the file is not there. No link is followed, for the judge's files are not the author's.
std::string CheckSubmitted(const PackageTest& test, const CheckOptions& check, const std::string& folder, Bytes most);

// UserError where a folder has no outputs, or one that cannot be read.
void CheckReadable(const std::string& folder, const Package& package);

// A folder with outputs is one solution, else each folder in it that has some, or may have: CheckReadable says what is wrong with it.
std::vector<std::string> OutputFoldersAt(const std::string& path, const Package& package);

}  // namespace tally
