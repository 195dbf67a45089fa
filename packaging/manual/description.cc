#include "packaging/manual/description.h"

#include <algorithm>
#include <stdexcept>

namespace tally {
namespace {

bool IsUpper(const std::string& word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

OptionText ReadOption(OptionText::Kind kind, const std::vector<std::string>& fields) {
  OptionText option;
  option.kind = kind;
  option.names = Split(fields[1], ',');
  option.value = fields[2];
  option.many = fields[3] == "many";
  option.required = fields[4] == "required";
  option.help = fields[5];
  return option;
}

}  // namespace

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find(separator, begin);
    out.push_back(text.substr(begin, end - begin));
  }
  return out;
}

std::vector<std::string> OptionText::Words() const {
  std::vector<std::string> words = Split(value, '|');
  if (words.size() < 2) return {};
  words.erase(std::remove_if(words.begin(), words.end(), IsUpper), words.end());  // PROGRAM
  return words;
}

bool CommandText::HasValue(const std::string& name) const {
  return std::any_of(options.begin(), options.end(), [&name](const OptionText& option) {
    return option.kind == OptionText::Kind::kOption &&
           std::find(option.names.begin(), option.names.end(), name) != option.names.end();
  });
}

std::vector<CommandText> ReadDescription(std::istream& in) {
  std::vector<CommandText> commands;
  for (std::string line; std::getline(in, line);) {
    const std::vector<std::string> fields = Split(line, '\t');
    if (fields[0] == "command" && fields.size() == 3) {
      commands.push_back({fields[1], fields[2], {}, {}, {}});
      continue;
    }
    if (commands.empty()) continue;  // of the executable, not of a command
    if (fields[0] == "footer" && fields.size() == 2) {
      commands.back().footer.push_back(fields[1]);
    } else if (fields[0] == "word" && fields.size() == 2) {
      commands.back().words.push_back(fields[1]);
    } else if (fields.size() == 6 && fields[0] == "positional") {
      commands.back().options.push_back(ReadOption(OptionText::Kind::kPositional, fields));
    } else if (fields.size() == 6 && fields[0] == "flag") {
      commands.back().options.push_back(ReadOption(OptionText::Kind::kFlag, fields));
    } else if (fields.size() == 6 && fields[0] == "option") {
      commands.back().options.push_back(ReadOption(OptionText::Kind::kOption, fields));
    } else {
      throw std::runtime_error("not a line of a description: " + line);
    }
  }
  if (commands.empty()) throw std::runtime_error("a description without commands");
  return commands;
}

std::vector<CommandText> Merged(std::vector<CommandText> commands, const std::vector<CommandText>& of_others) {
  for (const CommandText& other : of_others) {
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&other](const CommandText& command) { return command.name == other.name; });
    if (found == commands.end()) throw std::runtime_error("`tally` has no command " + other.name);
    *found = other;
  }
  for (const CommandText& command : commands) {
    if (command.options.empty()) throw std::runtime_error("nobody describes the options of " + command.name);
  }
  return commands;
}

}  // namespace tally
