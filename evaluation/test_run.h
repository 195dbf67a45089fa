// Runs a stack's tests, case by case, and says what became of each.
//
// Theory of operation. The cases are known first: from the runner's record `cases`, from a listing, or from the test
// files. A stack with a runner executes all of them in one process tree, and is started again without those that have a
// verdict when it ended before its end, so that a crash or a hang costs one case. Other stacks run one process for each
// case. Either way a pass needs a record behind the secret of the report channel (report_channel.h): nothing that a
// program prints, returns or does not do can be one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evaluation/case_list.h"
#include "evaluation/command_words.h"
#include "evaluation/eval_response.h"
#include "evaluation/evaluation_settings.h"
#include "evaluation/phase.h"
#include "evaluation/report_channel.h"
#include "evaluation/solution_side.h"
#include "evaluation/stack_spec.h"
#include "evaluation/test_cases.h"
#include "evaluation/work_folder.h"

namespace tally {

struct TestRunOptions {
  Nanoseconds case_time;
  std::vector<std::string> environment;  // in addition to the stack's
  CommandWords run;                      // instead of the stack's, if not empty
  CommandWords list;                     // the same
  std::vector<std::string> skip;         // ids of cases that are not to be run again
  std::vector<std::string> send;         // folders that a runner gets in addition to the stack's
  bool threads_only = false;             // a second process ends a case
  std::optional<Nanoseconds> coverage_time;  // a runner is to measure behind its verdicts, no longer than that
  const SolutionSide* solution_side = nullptr;  // borrowed; where the solution is no part of the tests' process
};

class FrameworkTestRun {
 public:
  // All are borrowed. `phase` shows what the stack's tests may see.
  FrameworkTestRun(const TestsSpec& spec, const CommandMaker& commands, const WorkFolder& work, const EvaluationSettings& settings,
          const TestRunOptions& options, Phase* phase)
      : spec_(spec), commands_(commands), work_(work), settings_(settings), options_(options), phase_(phase),
        cases_(settings.max_output_size) {}

  EvaluationResult Run();
  // Whether the runner came to the end of what it was to measure behind the verdicts, or has said why not.
  [[nodiscard]] bool measured() const { return measured_; }
  [[nodiscard]] const std::string& unmeasured() const { return unmeasured_; }

 private:
  void RunWithRunner();
  void RunBesideSolution(ChannelRequest request);
  void RunRunner(const ChannelRequest& request, const std::vector<int>& more_descriptors);
  void TakeRunnerReport(const StepResult& step, const ChannelReport& report);
  void ExpectCases(const CaseNames& cases);
  bool TakeReport(const std::string& text, const std::string& running);
  void RunTestFiles();
  void RunListed();
  void RunCase(const std::string& name, const std::string& test);
  StepResult RunCaseCommand(const std::vector<std::string>& command, StepOptions* options);
  void KeepOutput(const std::string& text);
  void AddLeaks(const std::string& text);
  [[nodiscard]] ChannelRequest RunnerRequest() const;
  [[nodiscard]] StepOptions OptionsFor(const ReportChannel& channel) const;
  [[nodiscard]] const CommandWords& Command() const { return options_.run.empty() ? spec_.run : options_.run; }

  const TestsSpec& spec_;
  const CommandMaker& commands_;
  const WorkFolder& work_;
  const EvaluationSettings& settings_;
  const TestRunOptions& options_;
  Phase* phase_;
  TestCases cases_;
  EvaluationResult result_;
  bool measured_ = false;
  std::string unmeasured_;
};

}  // namespace tally
