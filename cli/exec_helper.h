// Commands of `tally` that are another executable's, which lies beside ours and brings libraries that we do without.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"

namespace tally {

// A subcommand, all of whose words are for `executable`, --help included; it gets `words` in front of them.
void AddCommandOfAnother(CommandLine* line, const std::string& name, const std::string& description,
                         const std::string& executable, const std::vector<std::string>& words);

}  // namespace tally
