// A program of a package's own that helps to judge: a checker, a validator, a generator. Nobody trusts it: it is compiled and run in
// sandboxes, with limits.
#pragma once

#include <string>
#include <vector>

#include "base/temporary_directory.h"
#include "jobs/compilation.h"
#include "jobs/exec_options.h"
#include "jobs/program.h"
#include "supervisor/api/run_result.h"

namespace tally {

// The limits of all such programs, and their sandbox.
ExecOptions ToolOptions(Isolation isolation);

struct ToolRun {
  RunResult result;
  std::string output, error;  // the first 64 KiB of each, byte for byte
};

class Tool {
 public:
  // A source is compiled with the headers that lie beside it, once: what is made of it is kept by content (compilation_key.h). UserError with the compiler's words where it does not compile; `what` is
  // how messages call it: "checker".
  Tool(const std::string& what, const std::string& path, const std::vector<std::string>& more_sources, Isolation isolation);

  [[nodiscard]] const std::string& program() const { return program_; }  // what is run, and how
  [[nodiscard]] const ExecInfo& info() const { return info_; }

  // Its stdin is a file, its stdout another, which may be larger than what is kept of it. Arguments in /box are those of `files`.
  [[nodiscard]] ToolRun Run(const std::vector<std::string>& arguments, const std::string& input, const std::string& output, const std::vector<PlacedFile>& files = {}) const;
  // The same without arguments and input, in a folder of this machine's, which it may write to.
  [[nodiscard]] ToolRun RunIn(const std::string& folder) const;

 private:
  [[nodiscard]] ToolRun Finish(Program* program, const std::string& input, const std::string& output) const;

  std::string what_, program_;
  ExecInfo info_;
  Isolation isolation_;
  TemporaryDirectory directory_;
};

}  // namespace tally
