// Where the stacks' own helpers lie (stacks/support): beside the first folder of stacks that has them.
#pragma once

#include <string>

namespace tally {

// SystemError when Tally is not installed as a whole.
std::string StackSupportFolder();

}  // namespace tally
