#include "evaluation/stack_overview.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/wrapped_text.h"
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

std::string StackOverview(const std::vector<StackSpec>& stacks, std::size_t columns) {
  constexpr std::size_t kNarrow = 60;
  const bool is_narrow = columns > 0 && columns < kNarrow;
  std::size_t width = 5;
  for (const StackSpec& stack : stacks) width = std::max(width, stack.name.size());
  const std::string below(is_narrow ? 4 : width + 11, ' ');
  std::string text = is_narrow ? "" : fmt::format("{:{}}  version  for\n", "stack", width);
  for (const StackSpec& stack : stacks) {
    const std::string aliases = stack.aliases.empty() ? "" : fmt::format(" (also: {})", fmt::join(stack.aliases, ", "));
    text += is_narrow ? fmt::format("{} {}\n{}", stack.name, stack.version, below) : fmt::format("{:{}}  {:7}  ", stack.name, width, stack.version);
    text += fmt::format("{}{}\n", stack.title, aliases);
    for (const std::string& absent : AbsentCapabilities(stack)) text += fmt::format("{}absent: {}\n", below, absent);
  }
  return WrappedText(text, columns);
}

}  // namespace tally
