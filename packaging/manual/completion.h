// Completion for shells: the commands, their options, and the words that an option takes where these are known.
#pragma once

#include <string>
#include <vector>

#include "packaging/manual/description.h"

namespace tally {

std::string BashCompletion(const std::vector<CommandText>& commands);
std::string ZshCompletion(const std::vector<CommandText>& commands);

}  // namespace tally
