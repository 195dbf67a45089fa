#include "evaluation/io_evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/units.h"
#include "compilers/compiler_store.h"
#include "evaluation/command_words.h"
#include "evaluation/phase.h"
#include "evaluation/work_folder.h"
#include "jobs/judging.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

bool InKnownLanguage(const EvalFile& file, const CompilerStore& compilers) {
  const std::string extension = fs::path(file.path).extension();
  for (const CompilerSpec& spec : compilers.All()) {
    for (const std::string& known : spec.extensions) {
      if (extension == "." + known) return true;
    }
  }
  return false;
}

bool IsCalledMain(const EvalFile& file) { return fs::path(file.path).stem() == "main" || fs::path(file.path).stem() == "__main__"; }

// Of the solution files in a language that we know (where the request names the compiler: of all) the one that is called main, or the
// first; all others lie beside it.
const EvalFile& MainSource(const EvalRequest& request, const CompilerStore& compilers) {
  const bool named = !request.Param("compiler").empty();
  std::vector<const EvalFile*> sources;
  for (const EvalFile& file : request.solution_files) {
    if (InKnownLanguage(file, compilers)) sources.push_back(&file);
  }
  if (sources.empty() && named) {
    for (const EvalFile& file : request.solution_files) sources.push_back(&file);
  }
  const auto main = std::find_if(sources.begin(), sources.end(), [](const EvalFile* file) { return IsCalledMain(*file); });
  if (main != sources.end()) return **main;
  if (!sources.empty()) return *sources.front();
  throw UserError("solution_files: found no source of a known language; expected one, like \"sum.cpp\" or \"sum.py\"");
}

std::optional<Nanoseconds> TimeParam(const EvalRequest& request) {
  const std::string text = request.Param("time_limit");
  if (text.empty()) return std::nullopt;
  try {
    return ParseDuration(text);
  } catch (const UserError& error) {
    throw UserError(fmt::format("params.time_limit: {}", error.what()));
  }
}

void RequireAtMost(const std::string& key, const std::optional<Bytes>& found, Bytes most) {
  if (!found || *found <= most) return;
  throw UserError(fmt::format("{}: found {}; this worker has {} at most", key, FormatBytes(*found), FormatBytes(most)));
}

std::optional<Bytes> MemoryParam(const EvalRequest& request) {
  const std::string text = request.Param("memory_limit");
  if (text.empty()) return std::nullopt;
  try {
    return ParseBytes(text);
  } catch (const UserError& error) {
    throw UserError(fmt::format("params.memory_limit: {}", error.what()));
  }
}

CaseStatus StatusOf(ResultCode code) {
  switch (code) {
    case ResultCode::kOk: return CaseStatus::kPassed;
    case ResultCode::kWa: return CaseStatus::kFailure;
    case ResultCode::kTle: return CaseStatus::kTimeout;
    default: return CaseStatus::kError;
  }
}

TestCase ToCase(const TestReport& report) {
  TestCase test;
  test.name = report.test;
  test.status = StatusOf(report.code);
  if (test.status != CaseStatus::kPassed) test.message = fmt::format("{}: {}", Name(report.code), report.sentence);
  if (report.time_ms) test.seconds = static_cast<double>(*report.time_ms) / 1000;
  return test;
}

class InputOutput {
 public:
  InputOutput(const EvalRequest& request, const EvaluationSettings& settings, const StepNotice& notice)
      : request_(request), settings_(settings), notice_(notice), main_(MainSource(request, compilers_)) {
    work_.Place("solution", request.solution_files);
    work_.Place("include", request.include_files);
    work_.Place("tests", request.test_files);
    options_.compiler = request.Param("compiler");
    RequireCompilerWithin(settings.bounds, "params.compiler", options_.compiler, main_.path);
    options_.time = TimeParam(request);
    options_.memory = MemoryParam(request);
    options_.compile_wall = settings.compile_timeout;
    options_.all_tests = settings.test_timeout;
    options_.run_all = true;  // each test is a case of the answer
    RequireAtMost("params.memory_limit", options_.memory, settings.memory_limit);
    for (const EvalFile& file : request.solution_files) {
      if (&file == &main_) continue;
      const bool source = fs::path(file.path).extension() == fs::path(main_.path).extension();
      AddFile(source ? &options_.more_sources : &options_.more_files, "solution_files", "solution", file);
    }
    for (const EvalFile& file : request.include_files) AddFile(&options_.more_files, "include_files", "include", file);
  }

  EvalResult Run() {
    EvalResult result;
    if (request_.style) result.absent["style"] = "this stack has none";
    if (!request_.compile && !request_.test) return result;
    const std::string source = work_.Folder("solution") + "/" + main_.path;
    notice_("compiling");
    const SolutionReport report = request_.test ? JudgeAll(source) : OnlyCompile(source);
    if (request_.compile) {
      const std::string more = report.compilation.ok ? "" : report.compilation.sentence + "\n";
      result.compilation = CompilationResult{report.compilation.ok, Cut(more + report.compilation.output, settings_.max_output_size)};
    }
    if (request_.test && report.compilation.ok) result.test = ToResult(report);
    if (request_.test && !report.compilation.ok) result.absent["test"] = kDoesNotCompile;
    return result;
  }

  // A client knows its files by its own names.
  [[nodiscard]] std::string InTheRequestsWords(std::string sentence) const {
    const std::string folder = work_.path() + "/";
    for (std::size_t at = sentence.find(folder); at != std::string::npos; at = sentence.find(folder, at)) sentence.erase(at, folder.size());
    return sentence;
  }

 private:
  void AddFile(std::vector<MoreFile>* files, const std::string& key, const std::string& folder, const EvalFile& file) {
    files->push_back({key, file.path, work_.Folder(folder) + "/" + file.path});
  }

  SolutionReport JudgeAll(const std::string& source) {
    const Package package = OwnPackage();
    return Judging(package, options_).Judge(source, [&](std::size_t done, const std::string&) {
      notice_(fmt::format("testing, {} of {} done", done, package.tests.size()));
    });
  }

  // Within what this worker gives.
  Package OwnPackage() {
    Package package = ReadPackage(work_.Folder("tests"), {.from = PackageFrom::kStranger});
    const std::string file = "tests/" + package.limits_from + ": ";
    RequireAtMost(file + "memory_limit", package.memory, settings_.memory_limit);
    for (const PackageTest& test : package.tests) RequireAtMost(file + "memory_limits", test.memory, settings_.memory_limit);
    for (const LanguageLimits& language : package.language_limits) RequireAtMost(file + "override_limits", language.memory, settings_.memory_limit);
    const WorkerBounds& bounds = settings_.bounds;
    if (bounds.output) RequireAtMost(file + "output_limit", package.output, *bounds.output);
    if (bounds.processes && package.processes > *bounds.processes) {
      throw UserError(fmt::format("{}processes: found {}; this worker has {} at most", file, package.processes, *bounds.processes));
    }
    if (package.interactor) throw UserError("tests: an interactive problem; a worker evaluates none");
    if (!package.memory && !options_.memory) options_.memory = std::min(settings_.memory_limit, kDefaultJudgingMemory);
    return package;
  }

  SolutionReport OnlyCompile(const std::string& source) {
    SolutionReport report;
    const TemporaryDirectory directory;
    const CompileRequest request{.source = source, .source_name = main_.path, .compiler = options_.compiler,
                                 .more_sources = options_.more_sources, .more_files = options_.more_files,
                                 .wall = options_.compile_wall};
    report.compilation = Compile(request, ChooseCompiler(compilers_, request), directory);
    return report;
  }

  EvaluationResult ToResult(const SolutionReport& report) const {
    EvaluationResult result;
    result.isolation = TestIsolation::kSeparateProcesses;
    result.coverage_reason = "this stack has none";
    TestSuite suite{"tests", {}};
    for (const TestReport& test : report.tests) {
      if (test.code == ResultCode::kSe) throw UserError(fmt::format("test {}: {}", test.test, test.sentence));
      suite.cases.push_back(ToCase(test));
    }
    result.suites.push_back(std::move(suite));
    return result;
  }

  const EvalRequest& request_;
  const EvaluationSettings& settings_;
  const StepNotice& notice_;
  CompilerStore compilers_;
  const EvalFile& main_;
  WorkFolder work_;
  JudgeOptions options_;
};

}  // namespace

EvalResult EvaluateInputOutput(const EvalRequest& request, const StackSpec&, const EvaluationSettings& settings,
                               const StepNotice& notice) {
  InputOutput evaluation(request, settings, notice);
  try {
    return evaluation.Run();
  } catch (const UserError& error) {
    throw UserError(evaluation.InTheRequestsWords(error.what()));
  }
}

}  // namespace tally
