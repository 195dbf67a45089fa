#include "evaluation/command_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "compilers/compiler_spec.h"
#include "compilers/placeholders.h"
#include "compilers/toolchain.h"

namespace tally {
namespace {

bool Mentions(const CommandWords& command, std::string_view placeholder) {
  return std::any_of(command.begin(), command.end(),
                     [&](const std::string& word) { return word.find(placeholder) != std::string::npos; });
}

// One name for a file, and another for each case: "de%2Fdate_test".
std::string AsFileName(const std::string& name) {
  std::string file;
  for (const char c : name) file += c == '/' ? "%2F" : c == '%' ? "%25" : std::string(1, c);
  return file;
}

std::string TestsFolder() { return fmt::format("{}/tests", kBox); }

}  // namespace

std::string MissingTools(const StackTools& tools) {
  std::vector<std::string> missing;
  for (const std::string& program : tools.programs) {
    if (!LocateTool(program)) missing.push_back(program);
  }
  std::error_code error;
  for (const std::string& file : tools.files) {
    if (!std::filesystem::exists(file, error)) missing.push_back(file);
  }
  if (missing.empty()) return "";
  return fmt::format("{} {} not installed (package {})", fmt::join(missing, ", "), missing.size() == 1 ? "is" : "are", tools.package);
}

CommandMaker::CommandMaker(const StackSpec& stack, const WorkFolder& work) : stack_(stack), work_(work) {
  AddTools(stack.compile.tools);
  if (stack.tests) AddTools(stack.tests->tools);
  for (const StyleSpec& style : stack.style) AddTools(style.tools);
  if (stack.coverage) AddTools(stack.coverage->tools);
}

void CommandMaker::AddTools(const StackTools& tools) {
  for (const std::string& program : tools.programs) {
    if (const std::optional<std::string> path = LocateTool(program)) tools_.emplace_back(ToolName(program), *path);
  }
  for (const std::string& file : tools.files) {
    if (std::filesystem::path(file).extension() == ".jar") jars_ += (jars_.empty() ? "" : ":") + file;
  }
}

bool CommandMaker::NeedsTests(const CommandWords& command) {
  return Mentions(command, "{test}") || Mentions(command, "{tests}") || Mentions(command, TestsFolder());
}

std::string CommandMaker::CaseName(const std::string& test) const {
  std::filesystem::path name = std::filesystem::path(test).lexically_relative(TestsFolder());
  if (stack_.extensions.size() == 1) name.replace_extension();
  return name;
}

std::vector<std::vector<std::string>> CommandMaker::Lines(const CommandWords& command) const {
  std::vector<std::vector<std::string>> lines;
  if (Mentions(command, "{test}") || Mentions(command, "{test_name}")) {
    for (const std::string& test : TestSources()) {
      if (auto line = Line(command, test, "")) lines.push_back(std::move(*line));
    }
  } else if (auto line = Line(command, "", "")) {
    lines.push_back(std::move(*line));
  }
  return lines;
}

std::vector<std::string> CommandMaker::ForCase(const CommandWords& command, const std::string& name, const std::string& test) const {
  return Line(command, test, name).value_or(std::vector<std::string>());
}

std::optional<std::vector<std::string>> CommandMaker::Line(const CommandWords& command, const std::string& test,
                                                           const std::string& name) const {
  PlaceholderValues values(tools_.begin(), tools_.end());
  values.emplace_back("test", test);
  values.emplace_back("test_name", AsFileName(test.empty() ? name : CaseName(test)));
  values.emplace_back("case", name);
  values.emplace_back("jars", jars_);
  std::vector<std::string> line;
  for (const std::string& word : command) {
    if (word != "{solution}" && word != "{include}" && word != "{tests}") {
      line.push_back(FillIn(word, values));
      continue;
    }
    const std::vector<std::string> more = work_.Sources(word.substr(1, word.size() - 2), stack_.extensions);
    if (more.empty()) return std::nullopt;
    line.insert(line.end(), more.begin(), more.end());
  }
  return line;
}

}  // namespace tally
