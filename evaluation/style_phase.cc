#include "evaluation/style_phase.h"

#include <fmt/format.h>

#include "base/error.h"
#include "evaluation/phase.h"
#include "evaluation/style_report.h"

namespace tally {
namespace {

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

}  // namespace

std::optional<StyleResult> CheckStyle(const StackSpec& stack, const CommandMaker& commands, const WorkFolder& work,
                                      const EvaluationSettings& settings, const std::string& support,
                                      std::vector<std::string>* absent) {
  std::string why;
  const StyleSpec* spec = Installed(stack.style, &why);
  if (spec == nullptr) {
    absent->push_back("style: " + why);
    return std::nullopt;
  }
  Phase phase(settings, stack.build_sandbox, work.ForBuilding(), support, "/box/out", settings.style_timeout);
  StepOptions options;
  options.environment = stack.environment;
  StyleResult result;
  result.tool = spec->name;
  for (const auto& line : commands.Lines(spec->version)) {
    const StepResult step = phase.Run(line, options);
    result.version = FirstLine(step.out.empty() ? step.err : step.out);
  }
  for (const auto& line : commands.Lines(spec->command)) {
    const StepResult step = phase.Run(line, options);
    // An exit status other than 0 says that there are mistakes.
    if (const std::string fault = StepFault(step, phase); !fault.empty()) throw UserError(fmt::format("style, {}: {}", spec->name, fault));
    // cppcheck reports on stderr.
    const std::string& text = spec->format == "cppcheck" ? step.err : step.out;
    for (StyleError& error : ReadStyleReport(spec->format, text, "/box/solution")) result.errors.push_back(std::move(error));
  }
  return result;
}

}  // namespace tally
