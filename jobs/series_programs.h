// The programs of a profile series, compiled and ready to be run: the measured one, the generator, the model solution,
// the checker. Which limits they run in is the caller's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jobs/compilation.h"
#include "jobs/files.h"
#include "jobs/program.h"
#include "profile/code_message.h"

namespace tally {

struct BuildOptions {
  bool debug = false;     // C and C++ programs say which line an instruction belongs to; they execute the same instructions
  unsigned attempts = 1;  // a compilation that fails is tried as often
  Isolation isolation = Isolation::kFull;
};

class SeriesProgram {
 public:
  // `key` is how messages call it.
  SeriesProgram(std::string key, const ProgramText& text, const BuildOptions& options = {});

  [[nodiscard]] const CompileResult& compilation() const { return compilation_; }
  // That compiled it, or "" where nothing was compiled: "g++ -O2 source -o output", the tools by their names.
  [[nodiscard]] const std::string& command() const { return command_; }
  [[nodiscard]] std::size_t attempts() const { return directories_.size(); }
  // UserError with the compiler's words when there is none.
  void RequireCompiled() const;
  // The compiled program in a sandbox of its own; `arguments` follow its name.
  [[nodiscard]] std::unique_ptr<Program> Ready(const ExecOptions& options,
                                               const std::vector<std::string>& arguments = {}) const;

 private:
  void CompileOnce(const ProgramText& text, const BuildOptions& options);

  std::string key_;
  std::vector<std::unique_ptr<TemporaryDirectory>> directories_;  // one for each attempt
  std::string command_;
  CompileResult compilation_;
};

// `-s` goes and `-g` comes, where the language is C or C++.
CompilerSpec WithDebugInformation(CompilerSpec spec);

}  // namespace tally
