// Where a command's JSON goes, as --json[=FILE] says (Command::JsonOption): to stdout in place of the text for people, or into a file
// beside it, which appears whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace tally {

class JsonOutput {
 public:
  // "": none; "-": stdout. UserError where the file cannot be written: at the start, and not after hours of work.
  explicit JsonOutput(std::string target);

  [[nodiscard]] bool wanted() const { return !target_.empty(); }
  [[nodiscard]] bool to_stdout() const { return target_ == "-"; }  // then nothing else is printed there
  [[nodiscard]] const std::string& file() const { return target_; }  // where it is one
  void Write(std::string_view json) const;

 private:
  std::string target_;
};

}  // namespace tally
