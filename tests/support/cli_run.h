// Runs the built `tally`, or a shell line that uses it, as a process of its own with everything it says
// captured.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tally {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

struct CliResult {
  int status = -1;  // exit status; 128 + N after signal N, as a shell says it
  std::string out;
  std::string error;

  // stdout as the one JSON object it must be; a text is in its place where it is not.
  [[nodiscard]] Json json() const;
  [[nodiscard]] std::string code() const { return json().value("result_code", "no result_code"); }
};

struct CliOptions {
  std::string input = {};      // on stdin, a file
  std::string directory = {};  // to work in; "" is the tests' own
  Words environment = {};      // KEY=VALUE, over the tests' own
  unsigned short columns = 100;  // of a terminal
};

std::string TallyPath();
CliResult Tally(const Words& arguments, const CliOptions& options = {});
// A line for /bin/sh, which finds the executable in $TALLY and tests/programs in $PROGRAMS.
CliResult Shell(const std::string& line, const CliOptions& options = {});
// The same with a terminal as stdin, stdout and stderr; all it shows is in `out`.
CliResult ShellOnTerminal(const std::string& line, const CliOptions& options = {});

// One sentence on one line, as mistakes are told: "tally: SENTENCE\n".
bool IsOneSentence(const std::string& error);
bool Has(const std::string& text, const std::string& part);

}  // namespace tally
