// Where the program of a command line is, and where its sandbox has it.
#pragma once

#include <string>

#include "supervisor/api/root_spec.h"

namespace tally {

struct ProgramPlace {
  std::string inside;  // the path by which the sandbox executes it
  std::string file;    // on this machine, as the user named it
  bool is_placed;      // that has to be put there; else the sandbox has it
};

// `word` as the user typed it: one with a slash is a path, another is looked for in PATH, as a shell does. A sandbox with an
// image (base_root) is asked first: what that has by this name is executed. `full`: the sandbox is one. UserError: there is no
// such program.
ProgramPlace FindProgram(const std::string& word, const RootSpec& root, bool full);

// The folder's name in the sandbox for this machine's file, /box/NAME.
std::string InBox(const std::string& path);

}  // namespace tally
