// `tally verify --fix`: a better time limit, written into the file of the package that has it.
#pragma once

#include <string>

#include "base/units.h"
#include "packages/package.h"

namespace tally {

// Which file has it now, and what is said of it: "time_limit: 2s in tally.yml". The file keeps all else as it is. UserError where the
// package keeps no limit, or writes it in a way that is not understood here; then nothing is changed.
std::string FixTimeLimit(const Package& package, Nanoseconds limit);

// A settings file's text with another limit; "" where it has none and none can be put in. `name` is the file's.
std::string WithTimeLimit(const std::string& name, const std::string& text, Nanoseconds limit);

}  // namespace tally
