// Decides whether an output is right: with the built-in token compare, or with a custom checker that runs in a
// sandbox of its own, with limits. A checker that crashes, hangs, floods or prints garbage is a fault of the
// checker and becomes SE with a sentence, never a silent OK.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checkers/compare_rules.h"
#include "checkers/percentage.h"
#include "checkers/protocol.h"
#include "checkers/verdict.h"
#include "checkers/wording.h"
#include "jobs/environ.h"
#include "jobs/program.h"
#include "supervisor/api/run_request.h"

namespace tally {

struct CheckOptions {
  std::optional<std::string> checker;  // local path; absent: the token compare
  CheckerProtocol protocol = CheckerProtocol::kSio;
  ExecInfo checker_info;                       // how it is run, if it is no executable
  std::vector<std::string> argument_words;     // in place of its protocol's; {input}, {output}, {answer} are the files
  std::vector<std::string> checker_arguments;  // behind those
  std::optional<CompareRules> compare;         // without a checker, in the token compare's place
  Wording wording;
  Limits limits;  // of the checker
  Isolation isolation = Isolation::kFull;
  unsigned passes = 1;   // more: the checker may leave an input for another one
  std::string feedback;  // then: its folder, which stays for all passes of a test
};

// All but the checker's path, which is a file of the job. UserError names the key.
CheckOptions ReadCheckOptions(const Environ& environ);

struct CheckedFiles {
  std::string input;
  std::string output;
  std::string hint;
};

CheckerVerdict CheckOutput(const CheckOptions& options, const CheckedFiles& files);

// result_percentage, as a number or, where percentage_format is "fraction", as [num, den].
void WritePercentage(const Percentage& percentage, Environ* environ);

// Turns an OK run into OK, WA or SE: result_code, result_string, result_percentage.
void WriteCheckResult(const CheckerVerdict& verdict, Environ* environ);

}  // namespace tally
