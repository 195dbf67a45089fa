// The commands of Tally as its executables describe them (--help-for-tools, base/command_line.h), for manual pages and
// completion: both are made of this while Tally is built, so they tell what --help tells.
#pragma once

#include <istream>
#include <string>
#include <vector>

namespace tally {

struct OptionText {
  enum class Kind { kOption, kFlag, kPositional };
  Kind kind = Kind::kOption;
  std::vector<std::string> names;  // "-t", "--time"; of a positional its only one
  std::string value;               // "TEXT", or "full|reduced|auto"
  bool many = false;
  bool required = false;
  std::string help;

  // The words that may be given, and no others; none where there are others.
  [[nodiscard]] std::vector<std::string> Words() const;
};

struct CommandText {
  std::string name, help;
  std::vector<OptionText> options;
  std::vector<std::string> footer;  // lines
  std::vector<std::string> words;   // "exe_file=": what else may be typed

  [[nodiscard]] bool HasValue(const std::string& name) const;
};

// The commands in one executable's description. std::runtime_error names the line that is none of a description.
std::vector<CommandText> ReadDescription(std::istream& in);

// `commands`, where those that another executable does (cli/exec_helper.h) are as that one describes them.
std::vector<CommandText> Merged(std::vector<CommandText> commands, const std::vector<CommandText>& of_others);

std::vector<std::string> Split(const std::string& text, char separator);

}  // namespace tally
