#include "jobs/solution_programs.h"

#include <utility>

namespace tally {

SolutionPrograms::SolutionPrograms(std::string solution, const CompileResult& compilation, ExecFor exec_for, OwnOf own_of)
    : solution_(std::move(solution)), compilation_(compilation), exec_for_(std::move(exec_for)), own_of_(std::move(own_of)) {}

const Program& SolutionPrograms::For(const PackageTest& test, unsigned worker, unsigned process) {
  const Own own = own_of_(worker, process);
  std::unique_ptr<Program>& program = programs_[Key{test.time.value_or(Nanoseconds(0)), test.memory.value_or(Bytes{}), own.files.empty() ? 0 : worker, process}];
  if (program) return *program;
  std::vector<PlacedFile> placed = compilation_.beside;
  placed.insert(placed.end(), own.files.begin(), own.files.end());
  program = std::make_unique<Program>(solution_, compilation_.program, compilation_.info, exec_for_(test), placed);
  program->AddArguments(own.arguments);
  if (own.input_in_lines) program->InputComesInLines();
  return *program;
}

}  // namespace tally
