// Which of a description's tools are on this machine, and where. A missing compiler is a property of the
// machine: it is reported as absent with what to install, never as a contestant's compilation error.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compilers/compiler_spec.h"

namespace tally {

struct Toolchain {
  bool present = false;
  // Name to full path, in the description's order; without the absent ones.
  std::vector<std::pair<std::string, std::string>> tools;
  std::string sentence;  // "cpp20 (C++20): /usr/bin/g++", or what is absent and what to install
};

// Where a tool is, by its name or full path.
std::optional<std::string> LocateTool(const std::string& tool);

// Looks in /usr/local/bin, /usr/bin and /bin only: a sandbox sees these, and not what lies in somebody's
// home.
Toolchain Probe(const CompilerSpec& spec);

// A tool as it is installed: an update of its package changes this.
std::string StampOf(const std::string& path);

// Throws UserError with the sentence when a tool is absent.
Toolchain RequireToolchain(const CompilerSpec& spec);

}  // namespace tally
