// Runs a program of the system's to its end, for what no library of ours can ask.
#pragma once

#include <string>
#include <vector>

#include "base/units.h"

namespace tally {

struct CommandEnd {
  bool is_success = false;
  std::string
      said;  // stdout and stderr, without the last newline; or why it could not be run, or had no end in time
};

// words[0] is the path. The environment is ours and `more`, "KEY=VALUE", which wins. It is killed when its
// time is over.
CommandEnd RunCommand(const std::vector<std::string>& words, const std::vector<std::string>& more,
                      Nanoseconds longest);

}  // namespace tally
