// A solution's programs, made ready once for each pair of limits, and once for each worker and process where what they find in their folders
// is their own: files of the task, fifos.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "jobs/compilation.h"
#include "jobs/program.h"
#include "packages/package.h"

namespace tally {

class SolutionPrograms {
 public:
  // What differs from process to process.
  struct Own {
    std::vector<PlacedFile> files;
    std::vector<std::string> arguments;
    bool input_in_lines = false;
  };
  using ExecFor = std::function<ExecOptions(const PackageTest& test)>;
  using OwnOf = std::function<Own(unsigned worker, unsigned process)>;

  SolutionPrograms(std::string solution, const CompileResult& compilation, ExecFor exec_for, OwnOf own_of);

  // UserError where what was compiled cannot be a program.
  const Program& For(const PackageTest& test, unsigned worker, unsigned process);

 private:
  using Key = std::tuple<Nanoseconds, Bytes, unsigned, unsigned>;

  std::string solution_;
  const CompileResult& compilation_;
  ExecFor exec_for_;
  OwnOf own_of_;
  std::map<Key, std::unique_ptr<Program>> programs_;
};

}  // namespace tally
