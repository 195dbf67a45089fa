#include "evaluation/coverage_phase.h"

#include <fmt/format.h>

#include "base/error.h"
#include "evaluation/coverage_report.h"
#include "evaluation/phase.h"

namespace tally {

std::optional<Coverage> CollectCoverage(const StackSpec& stack, const CommandMaker& commands, const WorkFolder& work,
                                        const std::string& counters, const EvaluationSettings& settings, const std::string& support,
                                        std::string* reason) {
  const CoverageSpec& spec = *stack.coverage;
  std::vector<PlacedFile> placed = work.ForBuilding();
  placed.push_back({counters, kCounters, true, true});
  Phase phase(settings, stack.build_sandbox, placed, support, "/box/out", settings.codecov_timeout);
  StepOptions options;
  options.environment = stack.environment;
  std::string report;
  for (const CommandWords& command : spec.collect) {
    report.clear();
    for (const auto& line : commands.Lines(command)) {
      const StepResult step = phase.Run(line, options);
      if (step.run.code != ResultCode::kOk) {
        const std::string fault = StepFault(step, phase);
        *reason = fmt::format("{}: {}", spec.name, fault.empty() ? Cut(step.err.empty() ? step.out : step.err, Bytes{500}) : fault);
        return std::nullopt;
      }
      report += step.out;
    }
  }
  try {
    std::vector<std::string> solution;
    for (const std::string& path : work.FilesIn("solution")) solution.push_back(path.substr(path.find('/') + 1));
    return Coverage{spec.name, ReadCoverageReport(spec.format, report, solution)};
  } catch (const UserError& error) {
    *reason = error.what();
    return std::nullopt;
  }
}

}  // namespace tally
