// EvalResponse: what an evaluation found, and its JSON (docs/dispatcher.md, docs/schemas/eval-response.json). A figure
// that was not measured is null there, never 0.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/evaluation_settings.h"

namespace tally {

struct CompilationResult {
  bool compiling = false;
  std::string output;  // the compiler's words, stdout and stderr
};

enum class CaseStatus : std::uint8_t { kPassed, kFailure, kError, kPending, kTimeout };
std::string_view Name(CaseStatus status);  // "passed", "failure", ...

struct TestCase {
  std::string name;
  std::string class_name;  // "" where the language has none
  CaseStatus status = CaseStatus::kError;
  std::string message;  // one line: why it did not pass
  std::string details;  // the framework's words
  std::optional<double> seconds;
  std::optional<std::string> out, err;  // the solution's, where they can be told from the test process'

  // "<name>#<class_name>", or the name alone.
  [[nodiscard]] std::string Id() const { return class_name.empty() ? name : name + "#" + class_name; }
};

struct TestSuite {
  std::string name;
  std::vector<TestCase> cases;
};

struct Ratio {
  std::uint64_t covered = 0, total = 0;
};
struct FileCoverage {
  std::string path;  // as the request names it
  Ratio lines;
  std::optional<Ratio> branches;
  std::vector<std::uint32_t> missed_lines;
};
struct Coverage {
  std::string tool;
  std::vector<FileCoverage> files;  // of the solution
};

// Where the tests' verdict is formed: with tests and solution in one process, where a solution may still reach it
// (docs/isolation.md#evaluations), or by a process that sees nothing of the solution but its output.
enum class TestIsolation : std::uint8_t { kSharedProcess, kSeparateProcesses };
std::string_view Name(TestIsolation isolation);  // "shared-process", "separate-processes"

struct EvaluationResult {
  TestIsolation isolation = TestIsolation::kSharedProcess;
  std::vector<TestSuite> suites;
  std::string output;                  // of the test process itself
  std::optional<std::int64_t> leaks;   // allocations - frees
  std::optional<Coverage> coverage;
  std::string coverage_reason;         // why there is none

  [[nodiscard]] std::uint64_t Count(CaseStatus status) const;
  [[nodiscard]] std::uint64_t Count() const;
};

struct StyleError {
  std::string file;
  std::uint32_t line = 0, column = 0;  // 0: of the whole file or line
  std::string severity, message, rule;
};
struct StyleResult {
  std::uint64_t count = 0;  // of all that were found
  std::vector<StyleError> errors;  // the first of them
  std::string tool, version;
};

// Of each capability that was asked for and has no result, why: {"style", "flake8 is not installed (package ...)"}.
using Absent = std::map<std::string, std::string>;
// The one reason that is the solution's fault.
inline constexpr std::string_view kDoesNotCompile = "the solution does not compile";

struct EvalResult {
  std::optional<CompilationResult> compilation;
  std::optional<EvaluationResult> test;
  std::optional<StyleResult> style;
  Absent absent;
};

// The whole answer. Text that is not UTF-8 is repaired by U+FFFD.
std::string SuccessJson(const EvalResult& result, const EvaluationSettings& settings);
std::string FailureJson(std::string_view message, const EvaluationSettings& settings);

}  // namespace tally
