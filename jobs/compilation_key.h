// What a compilation's result follows from, in one name: the files that are compiled, the commands, and the tools as they are
// installed. A result that is kept under it (base/file_cache.h) is what compiling again would make.
#pragma once

#include <string>
#include <vector>

#include "compilers/toolchain.h"

namespace tally {

// `work`: the folder in which all files lie that the commands are to find.
std::string CompilationKey(const std::vector<std::vector<std::string>>& commands, const std::vector<std::string>& environment,
                           const Toolchain& toolchain, const std::string& work);

}  // namespace tally
