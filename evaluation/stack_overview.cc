#include "evaluation/stack_overview.h"

#include <fmt/format.h>

#include <algorithm>

#include "evaluation/command_words.h"

namespace tally {
namespace {

// Of alternatives one is enough.
std::string MissingStyle(const std::vector<StyleSpec>& specs) {
  std::string missing = specs.empty() ? "this stack has none" : "";
  for (const StyleSpec& spec : specs) {
    const std::string why = MissingTools(spec.tools);
    if (why.empty()) return "";
    missing += (missing.empty() ? "" : "; ") + why;
  }
  return missing;
}

}  // namespace

std::vector<std::string> AbsentCapabilities(const StackSpec& stack) {
  if (stack.input_output) return {"style: this stack has none", "coverage: this stack has none"};
  std::vector<std::string> absent;
  const auto add = [&absent](const char* capability, const std::string& why) {
    if (!why.empty()) absent.push_back(fmt::format("{}: {}", capability, why));
  };
  add("compile", MissingTools(stack.compile.tools));
  add("test", stack.tests ? MissingTools(stack.tests->tools) : "this stack has none");
  add("style", MissingStyle(stack.style));
  add("coverage", stack.coverage ? MissingTools(stack.coverage->tools) : "this stack has none");
  return absent;
}

std::string StackOverview(const std::vector<StackSpec>& stacks) {
  std::size_t width = 5;
  for (const StackSpec& stack : stacks) width = std::max(width, stack.name.size());
  std::string text = fmt::format("{:{}}  version  for\n", "stack", width);
  for (const StackSpec& stack : stacks) {
    const std::string aliases = stack.aliases.empty() ? "" : fmt::format(" (also: {})", fmt::join(stack.aliases, ", "));
    text += fmt::format("{:{}}  {:7}  {}{}\n", stack.name, width, stack.version, stack.title, aliases);
    for (const std::string& absent : AbsentCapabilities(stack)) text += fmt::format("{:{}}           absent: {}\n", "", width, absent);
  }
  return text;
}

}  // namespace tally
