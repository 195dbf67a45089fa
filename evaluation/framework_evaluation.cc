#include "evaluation/framework_evaluation.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/units.h"
#include "evaluation/bounded_folder.h"
#include "evaluation/command_words.h"
#include "evaluation/coverage_phase.h"
#include "evaluation/phase.h"
#include "evaluation/prepared_folder.h"
#include "evaluation/process_calls.h"
#include "evaluation/style_phase.h"
#include "evaluation/support_folder.h"
#include "evaluation/test_run.h"
#include "evaluation/work_folder.h"

namespace tally {
namespace {

// Tests and solution may have one folder to write into that stays from case to case: their counters'. coverage.py leaves one file, gcc next
// to nothing.
constexpr Bytes kMostCounters = Bytes::MiB(128);

// What `show` says, each at its place.
std::vector<PlacedFile> Shown(const std::vector<std::string>& folders, const WorkFolder& work, const std::string& prepared) {
  std::vector<PlacedFile> placed{{work.Folder("include"), "/box/include"}};
  if (!prepared.empty()) placed.push_back({prepared, kPrepared, false, true});
  for (const std::string& folder : folders) {
    if (folder == "include") continue;
    placed.push_back({work.Folder(folder), "/box/" + folder, false, true});
  }
  return placed;
}

// Of one case, in seconds, over the stack's.
Nanoseconds CaseTime(const EvalRequest& request, const TestsSpec& spec) {
  const std::string text = request.Param("case_timeout");
  if (text.empty()) return spec.case_time;
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !(seconds > 0) || seconds > 3600) {
    throw UserError(fmt::format("params.case_timeout: found \"{}\"; expected seconds, above 0 and at most 3600", text));
  }
  return Nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
}

// Whether tests and solution are two processes.
bool IsSplit(const EvalRequest& request, const StackSpec& stack) {
  const std::string wanted = request.Param("split");
  if (wanted != "" && wanted != "true" && wanted != "false") {
    throw UserError(fmt::format("params.split: found \"{}\"; expected true or false", wanted));
  }
  const bool can = stack.tests && stack.tests->split;
  if (wanted == "true" && !can) {
    throw UserError(fmt::format("params.split: the stack {} has tests and solution in one process alone; two processes are there for C, C++, Python and Java", stack.name));
  }
  return wanted == "true" || (wanted != "false" && can && stack.tests->split->always);
}

// Perhaps a function that the tests call is not there, or has another type; perhaps the tests are no better. So it is no verdict on the
// solution's compilation, and no test has passed.
EvaluationResult NotBuilt(const std::string& words) {
  EvaluationResult result;
  result.output = words;
  result.coverage_reason = "the tests do not build with the solution";
  TestCase test;
  test.name = "tests";
  test.status = CaseStatus::kError;
  test.message = result.coverage_reason;
  test.details = words;
  result.suites.push_back({"tests", {std::move(test)}});
  return result;
}

class Evaluation {
 public:
  Evaluation(const EvalRequest& request, const StackSpec& stack, const EvaluationSettings& settings, const StepNotice& notice)
      : request_(request), stack_(stack), settings_(settings), notice_(notice), support_(StackSupportFolder()), commands_(stack, work_), split_(IsSplit(request, stack)) {
    work_.Place("solution", request.solution_files);
    work_.Place("include", request.include_files);
    work_.GiveToSandboxUser();
  }

  EvalResult Run() {
    EvalResult result;
    const std::string no_compiler = MissingTools(stack_.compile.tools);
    const bool compile = request_.compile && IsHere("compile", no_compiler, &result);
    bool test = request_.test && IsHere("test", no_compiler.empty() ? WhyNoTests() : no_compiler, &result);
    if (test) prepared_ = PreparedFolder(stack_, commands_, settings_, support_, notice_);
    if (compile || test) {
      notice_("compiling");
      const CompilationResult compilation = Build(stack_.compile.commands, settings_.compile_timeout);
      if (compile) result.compilation = compilation;
      if (test && !compilation.compiling) result.absent["test"] = kDoesNotCompile;
      test = test && compilation.compiling;
    }
    if (request_.style) {
      notice_("checking the style");
      result.style = CheckStyle(stack_, commands_, work_, settings_, support_, &result.absent);
    }
    if (test) Test(&result);
    return result;
  }

 private:
  // A capability that this machine does not have, or this stack, is no error: it is said.
  static bool IsHere(const std::string& capability, const std::string& why_not, EvalResult* result) {
    if (!why_not.empty()) result->absent[capability] = why_not;
    return why_not.empty();
  }

  [[nodiscard]] std::string WhyNoTests() const { return stack_.tests ? MissingTools(stack_.tests->tools) : "this stack has none"; }

  // Commands, one after the other, all within `limit`. The tests are there from the first that names them.
  CompilationResult Build(const std::vector<CommandWords>& commands, Nanoseconds limit) {
    std::vector<PlacedFile> placed = work_.ForBuilding();
    if (!prepared_.path().empty()) placed.push_back({prepared_.path(), kPrepared, false, true});
    bool tests_shown = !commands.empty() && CommandMaker::NeedsTests(commands.front());
    if (tests_shown) placed.push_back(work_.Tests());
    Phase phase(settings_, stack_.build_sandbox, placed, support_, "/box/out", limit);
    StepOptions options;
    options.environment = stack_.environment;
    CompilationResult result;
    for (const CommandWords& command : commands) {
      if (!tests_shown && CommandMaker::NeedsTests(command)) phase.ShowAlso(work_.Tests());
      tests_shown = tests_shown || CommandMaker::NeedsTests(command);
      for (const std::vector<std::string>& line : commands_.Lines(command)) {
        const StepResult step = phase.Run(line, options);
        if (result.output.size() <= kMostWritten.count) result.output += step.out + step.err;
        if (step.run.code == ResultCode::kOk && !step.phase_over) continue;
        if (const std::string fault = StepFault(step, phase); !fault.empty()) result.output += fmt::format("compilation ended: {}\n", fault);
        result.output = Cut(std::move(result.output), settings_.max_output_size);
        return result;
      }
    }
    result.compiling = true;
    result.output = Cut(std::move(result.output), settings_.max_output_size);
    return result;
  }

  void Test(EvalResult* result) {
    const TestsSpec& tests = *stack_.tests;
    work_.Place("tests", request_.test_files);
    work_.GiveToSandboxUser();
    if (commands_.TestSources().empty()) {
      result->test.emplace().coverage_reason = "there are no tests";
      return;
    }
    notice_("compiling the tests");
    const bool other_build = split_ && !tests.split->build.empty();
    const CompilationResult built = Build(other_build ? tests.split->build : tests.build, settings_.compile_timeout);
    if (!built.compiling) {
      result->test = NotBuilt(built.output);
      return;
    }
    notice_("testing");
    TestRunOptions options{.case_time = CaseTime(request_, tests), .threads_only = ThreadsOnly()};
    AddSplit(&options);
    std::optional<SolutionSide> solution;
    if (split_) options.solution_side = &solution.emplace(settings_, SolutionsProgram(options.case_time, settings_.test_timeout, nullptr));
    const std::string no_coverage = WhyNoCoverage();
    std::optional<BoundedFolder> counters;
    if (no_coverage.empty() && stack_.coverage->behind_tests && !split_) {
      counters.emplace(work_.Folder("counters"), kMostCounters);
      options.environment = stack_.coverage->environment;
      options.coverage_time = settings_.codecov_timeout;
    }
    Phase phase(settings_, tests.sandbox, ForTests(counters ? &*counters : nullptr), support_, "/box/include", settings_.test_timeout);
    FrameworkTestRun run(tests, commands_, work_, settings_, options, &phase);
    EvaluationResult& test = result->test.emplace(run.Run());
    if (split_) test.isolation = TestIsolation::kSeparateProcesses;
    test.coverage_reason = no_coverage.empty() && test.Count() == 0 ? "there are no tests" : no_coverage;
    if (!test.coverage_reason.empty()) return;
    notice_("measuring the coverage");
    if (!run.unmeasured().empty()) {
      test.coverage_reason = fmt::format("{}: {}", stack_.coverage->name, run.unmeasured());
    } else if (run.measured()) {
      test.coverage = CollectCoverage(stack_, commands_, work_, counters->path(), settings_, support_, &test.coverage_reason);
    } else {
      counters.reset();
      Cover(options.case_time, &test);
    }
  }

  // `counters`: where what is measured is left, or nullptr.
  [[nodiscard]] std::vector<PlacedFile> ForTests(const BoundedFolder* counters) const {
    std::vector<std::string> show = split_ ? stack_.tests->split->show_tests : stack_.tests->show;
    if (counters != nullptr) AddMissing(stack_.coverage->show, &show);
    std::vector<PlacedFile> placed = Shown(show, work_, prepared_.path());
    if (counters != nullptr) placed.push_back({counters->path(), kCounters, true, true});
    return placed;
  }

  void AddSplit(TestRunOptions* options) const {
    if (!split_) return;
    const SplitSpec& split = *stack_.tests->split;
    options->send = split.send;
    options->list = split.list;
    if (options->run.empty()) options->run = split.run;
  }

  static void AddMissing(const std::vector<std::string>& some, std::vector<std::string>* all) {
    for (const std::string& one : some) {
      if (std::find(all->begin(), all->end(), one) == all->end()) all->push_back(one);
    }
  }

  // It sees the files of the solution, and nothing of the tests.
  [[nodiscard]] SolutionProgram SolutionsProgram(Nanoseconds case_time, Nanoseconds all_time, const CoverageSpec* coverage) const {
    const TestsSpec& tests = *stack_.tests;
    std::vector<std::string> environment = tests.environment, show = tests.split->show;
    if (coverage != nullptr) {
      environment.insert(environment.end(), coverage->environment.begin(), coverage->environment.end());
      if (!tests.split->cover.empty()) AddMissing(coverage->show, &show);
    }
    return {.command = commands_.ForCase(tests.split->solution, ""), .sandbox = tests.sandbox, .placed = Shown(show, work_, prepared_.path()),
            .support = support_, .environment = environment, .run_time = tests.split->for_all_cases ? all_time : case_time, .processes = tests.processes, .memory_by = tests.memory_by};
  }

  // Tests and what belongs to them make no process, so neither may the solution.
  [[nodiscard]] bool ThreadsOnly() const {
    const std::vector<std::string>& names = stack_.tests->process_calls;
    return !names.empty() && !CallOneOf(request_.test_files, names) && !CallOneOf(request_.include_files, names);
  }

  [[nodiscard]] std::string WhyNoCoverage() const {
    if (request_.Param("coverage") == "no") return "not asked for (params.coverage: no)";
    if (!stack_.coverage) return "this stack has none";
    if (split_ && !stack_.tests->split->covered) return "not measured where tests and solution are two processes";
    return MissingTools(stack_.coverage->tools);
  }

  // By a run of its own.
  void Cover(Nanoseconds case_time, EvaluationResult* test) {
    const CoverageSpec& spec = *stack_.coverage;
    const TestsSpec& tests = *stack_.tests;
    work_.EmptyOut();
    work_.GiveToSandboxUser();
    const bool other_build = split_ && !tests.split->cover.empty();
    if (!Build(other_build ? tests.split->cover : spec.build, settings_.codecov_timeout).compiling) {
      test->coverage_reason = "the solution could not be built for it";
      return;
    }
    const BoundedFolder counters(work_.Folder("counters"), kMostCounters);
    std::optional<SolutionSide> solution;
    if (split_) solution.emplace(settings_, SolutionsProgram(case_time, settings_.codecov_timeout, &spec));
    Phase phase(settings_, tests.sandbox, ForTests(&counters), support_, "/box/include", settings_.codecov_timeout);
    TestRunOptions options{.case_time = case_time, .environment = spec.environment, .run = spec.run, .threads_only = ThreadsOnly(),
                           .solution_side = solution ? &*solution : nullptr};
    AddSplit(&options);
    // What hung once hangs again.
    for (const TestSuite& suite : test->suites) {
      for (const TestCase& one : suite.cases) {
        if (one.status == CaseStatus::kTimeout) options.skip.push_back(one.Id());
      }
    }
    FrameworkTestRun(tests, commands_, work_, settings_, options, &phase).Run();
    test->coverage = CollectCoverage(stack_, commands_, work_, counters.path(), settings_, support_, &test->coverage_reason);
  }

  const EvalRequest& request_;
  const StackSpec& stack_;
  const EvaluationSettings& settings_;
  const StepNotice& notice_;
  std::string support_;
  PreparedFolder prepared_;
  WorkFolder work_;
  CommandMaker commands_;
  bool split_;
};

}  // namespace

EvalResult EvaluateByFramework(const EvalRequest& request, const StackSpec& stack, const EvaluationSettings& settings,
                               const StepNotice& notice) {
  return Evaluation(request, stack, settings, notice).Run();
}

}  // namespace tally
