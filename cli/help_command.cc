// `tally help COMMAND`, and what completion asks for.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>

#include "base/description_folders.h"
#include "base/error.h"
#include "cli/commands.h"

namespace tally {

void AddHelpCommand(CommandLine* line) {
  Command command = line->Add("help", "Say what a command does, and its options");
  auto asked = std::make_shared<std::string>();
  command.Footer("tally help judge is tally judge --help, and tally help is tally --help.");
  command.Option("command", *asked, "The command; without one, what commands there are");
  // Others became --help (main.cc). `asked` is kept, for the parser writes to it.
  command.Does([asked]() -> int { throw UserError("help: expected one command"); });
}

int PrintNames(const std::string& kind) {
  if (kind != "compilers" && kind != "sandboxes" && kind != "stacks") throw UserError(fmt::format("--names: found \"{}\"; expected one of: compilers, sandboxes, stacks", kind));
  std::string variable = "TALLY_" + kind;
  std::transform(variable.begin(), variable.end(), variable.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  for (const DescriptionFile& file : DescriptionFolders(variable.c_str(), kind).List()) fmt::print("{}\n", file.name);
  return kExitJobRan;
}

}  // namespace tally
