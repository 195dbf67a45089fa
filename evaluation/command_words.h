// From a stack's command templates to command lines. Beside the tools' names ({gcc} is /usr/bin/gcc) there are
//   {solution} {include} {tests}   the sources there; stand alone and become any number of words; a command with an
//                                  empty one of them has nothing to do and is left out
//   {jars}                         the whole class path of the files that the stack names, joined by colons
//   {test} {test_name}             a test source, and its case's name as one of a file: the command is repeated
//   {case}                         the case that is run
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evaluation/stack_spec.h"
#include "evaluation/work_folder.h"

namespace tally {

// "" or what is not installed: "g++ is not installed (package g++)".
std::string MissingTools(const StackTools& tools);

class CommandMaker {
 public:
  CommandMaker(const StackSpec& stack, const WorkFolder& work);

  // No, one or (with {test}) several command lines.
  [[nodiscard]] std::vector<std::vector<std::string>> Lines(const CommandWords& command) const;
  // One, with {case} filled in. `test` is the source that the case is, if the stack's cases are sources.
  [[nodiscard]] std::vector<std::string> ForCase(const CommandWords& command, const std::string& name,
                                                 const std::string& test = "") const;
  [[nodiscard]] std::vector<std::string> TestSources() const { return work_.Sources("tests", stack_.extensions); }
  // Whether a command names the tests, as a placeholder or by their folder: only then are they shown to it.
  [[nodiscard]] static bool NeedsTests(const CommandWords& command);
  // What a test source is called as a case: "de/date_test" of "/box/tests/de/date_test.c". No two have one name: where the
  // stack has several endings, they stay.
  [[nodiscard]] std::string CaseName(const std::string& test) const;

 private:
  [[nodiscard]] std::optional<std::vector<std::string>> Line(const CommandWords& command, const std::string& test,
                                                             const std::string& name) const;
  void AddTools(const StackTools& tools);

  const StackSpec& stack_;
  const WorkFolder& work_;
  std::vector<std::pair<std::string, std::string>> tools_;
  std::string jars_;
};

}  // namespace tally
