// Manual pages (man(7)) of the commands.
#pragma once

#include <string>
#include <vector>

#include "packaging/manual/description.h"

namespace tally {

// tally-COMMAND(1). `text` is what docs/manual says of the command beyond its help: roff, perhaps nothing.
std::string CommandPage(const CommandText& command, const std::string& text);

// For tally(1): an entry for each command, with its own page's name.
std::string ListOfCommands(const std::vector<CommandText>& commands);

}  // namespace tally
