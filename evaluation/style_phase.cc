#include "evaluation/style_phase.h"

#include <fmt/format.h>

#include "base/error.h"
#include "evaluation/phase.h"
#include "evaluation/style_report.h"

namespace tally {
namespace {

constexpr std::size_t kMostErrors = 1000;  // nobody reads more; they are counted
constexpr Bytes kLongestMessage = Bytes::KiB(1);

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

const StyleSpec* Installed(const std::vector<StyleSpec>& specs, std::string* why) {
  *why = "this stack has none";
  for (const StyleSpec& spec : specs) {
    std::string missing = MissingTools(spec.tools);
    if (missing.empty()) return &spec;
    *why = &spec == &specs.front() ? missing : *why + "; " + missing;
  }
  return nullptr;
}

void Keep(std::vector<StyleError> errors, StyleResult* result) {
  result->count += errors.size();
  for (StyleError& error : errors) {
    if (result->errors.size() == kMostErrors) return;
    error.message = Cut(std::move(error.message), kLongestMessage);
    result->errors.push_back(std::move(error));
  }
}

// Why there is no report; "" when there is one.
std::string RunChecker(const StyleSpec& spec, const CommandMaker& commands, const StepOptions& options, Phase* phase, StyleResult* result) {
  for (const auto& line : commands.Lines(spec.version)) {
    const StepResult step = phase->Run(line, options);
    result->version = FirstLine(step.out.empty() ? step.err : step.out);
  }
  for (const auto& line : commands.Lines(spec.command)) {
    const StepResult step = phase->Run(line, options);
    // An exit status other than 0 says that there are mistakes.
    if (std::string fault = StepFault(step, *phase); !fault.empty()) return fault;
    // cppcheck reports on stderr.
    const std::string& text = spec.format == "cppcheck" ? step.err : step.out;
    try {
      Keep(ReadStyleReport(spec.format, text, "/box/solution"), result);
    } catch (const UserError& error) {
      return error.what();
    }
  }
  return "";
}

}  // namespace

std::optional<StyleResult> CheckStyle(const StackSpec& stack, const CommandMaker& commands, const WorkFolder& work,
                                      const EvaluationSettings& settings, const std::string& support,
                                      Absent* absent) {
  std::string why;
  const StyleSpec* spec = Installed(stack.style, &why);
  if (spec == nullptr) {
    (*absent)["style"] = why;
    return std::nullopt;
  }
  Phase phase(settings, stack.build_sandbox, work.ForBuilding(), support, "/box/out", settings.style_timeout);
  StepOptions options;
  options.environment = stack.environment;
  StyleResult result;
  result.tool = spec->name;
  if (const std::string fault = RunChecker(*spec, commands, options, &phase, &result); !fault.empty()) {
    (*absent)["style"] = fmt::format("{}: {}", spec->name, fault);
    return std::nullopt;
  }
  return result;
}

}  // namespace tally
