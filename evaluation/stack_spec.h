// A stack: how solutions of one kind are compiled, tested, and looked at for style and coverage. Described in YAML, one
// file per stack (stacks/); keys: docs/stacks.md. Pure data; nothing is run here.
//
// All commands work in /box: solution/, include/ and tests/ hold the request's files, out/ is where commands start and
// leave what they make. /tally has the stacks' own helpers (stacks/support).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "base/yaml_fields.h"
#include "supervisor/api/run_request.h"

namespace tally {

using CommandWords = std::vector<std::string>;

// What a capability needs on this machine. Without it the capability is absent, which is no error of the solution.
struct StackTools {
  std::vector<std::string> programs;  // names, or full paths
  std::vector<std::string> files;     // full paths that must exist
  std::string package;                // what to install
};

struct CompileSpec {
  StackTools tools;
  std::vector<CommandWords> commands;  // of the solution alone
};

enum class CaseList : std::uint8_t {
  kRunner,     // the run executes all cases and reports each (support/ has such runners)
  kLines,      // a command prints their names, a line each
  kTestFiles,  // each test source is a program and a case
};

// Tests and solution as two processes (params.split).
struct SplitSpec {
  CommandWords solution;            // the program that has the solution in it and answers the tests
  std::vector<CommandWords> build;  // instead of the tests', if there is one
  std::vector<CommandWords> cover;  // instead of the coverage's
  CommandWords list, run;           // instead of the tests'; without a runner they are told the descriptors by TALLY_SPLIT
  std::vector<std::string> show;    // folders of /box that the solution sees
  std::vector<std::string> show_tests;  // that the tests see then
  std::vector<std::string> send;    // that a runner gets in addition
  bool covered = true;              // whether there is a coverage then
  bool for_all_cases = false;       // a process of the solution for all that a runner runs, and not for each
  bool always = false;              // also where nobody asks for it
};

struct TestsSpec {
  StackTools tools;
  std::vector<CommandWords> prepare;  // once on a machine (prepared_folder.h)
  std::vector<CommandWords> build;  // tests and solution; {test} stands for each test source in turn
  CaseList cases = CaseList::kRunner;
  CommandWords list;                // kLines
  CommandWords run;                 // {case}: one run for each
  std::vector<std::string> show;    // folders of /box that the tests see: solution, include, out, ...
  std::vector<std::string> send;    // folders that a runner gets through its channel, and only there: tests
  std::vector<std::string> environment;
  std::string sandbox = "evaluation-sandbox";
  Nanoseconds case_time = std::chrono::seconds(10);  // wall time of one case
  std::uint32_t processes = 64;
  // Functions and macros that make processes. If there are some, and neither tests nor include files call any of them, a
  // second process ends a case (process_calls.h says why).
  std::vector<std::string> process_calls;
  MemoryBy memory_by = MemoryBy::kAuto;
  std::optional<SplitSpec> split;  // absent: one process is the only way
};

struct StyleSpec {
  std::string name;
  StackTools tools;
  CommandWords command, version;
  std::string format;  // "lines", "cppcheck", "checkstyle" (style_report.h)
};

struct CoverageSpec {
  std::string name;
  StackTools tools;
  std::vector<CommandWords> build;        // instead of compile's and the tests'
  CommandWords run;                       // instead of the tests'
  std::vector<std::string> show;          // in addition
  std::vector<std::string> environment;   // in addition
  std::vector<CommandWords> collect;      // the last one prints the report
  std::string format;                     // "gcov", "cobertura", "jacoco" (coverage_report.h)
  bool behind_tests = false;              // the tests' runner measures when all cases are judged, in the same start
};

struct StackSpec {
  std::string name, file, title, version;
  std::vector<std::string> aliases;
  bool input_output = false;  // tests are inputs and answers (io_evaluation.h); nothing below is there
  std::vector<std::string> extensions;  // of sources, without the dot; other files lie beside them
  std::string build_sandbox = "compiler-default";
  std::vector<std::string> environment;  // of compiling, building, style, collecting
  CompileSpec compile;
  std::optional<TestsSpec> tests;
  std::vector<StyleSpec> style;  // the first whose tools are here
  std::optional<CoverageSpec> coverage;
};

// UserError with file, line, column and key.
StackSpec ReadStackSpec(YamlMap yaml, const std::string& name);

}  // namespace tally
