#include "evaluation/test_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/sys.h"
#include "evaluation/case_verdict.h"
#include "evaluation/junit_xml.h"
#include "evaluation/report_channel.h"

namespace tally {
namespace {

constexpr Bytes kLongestList = Bytes::MiB(16);

}  // namespace

EvaluationResult FrameworkTestRun::Run() {
  if (spec_.cases == CaseList::kRunner) {
    RunWithRunner();
  } else if (spec_.cases == CaseList::kTestFiles) {
    RunTestFiles();
  } else {
    RunListed();
  }
  result_.suites = cases_.Suites();
  result_.output = Cut(std::move(result_.output), settings_.max_output_size);
  return std::move(result_);
}

StepOptions FrameworkTestRun::OptionsFor(const ReportChannel& channel) const {
  StepOptions options;
  options.stdin_fd = channel.fd();
  options.output = kMostWritten;
  options.processes = spec_.processes;
  options.threads_only = options_.threads_only;
  options.memory_by = spec_.memory_by;
  options.environment = spec_.environment;
  options.environment.insert(options.environment.end(), options_.environment.begin(), options_.environment.end());
  return options;
}

void FrameworkTestRun::KeepOutput(const std::string& text) {
  if (result_.output.size() <= kMostWritten.count) result_.output += text;
}

// Of processes the sum. Nothing where nobody counts.
void FrameworkTestRun::AddLeaks(const std::string& text) {
  long long allocations = 0, frees = 0;
  if (std::sscanf(text.c_str(), "%lld %lld", &allocations, &frees) != 2) return;
  result_.leaks = result_.leaks.value_or(0) + allocations - frees;
}

// A runner for all of them -------------------------------------------------------------------------------------

ChannelRequest FrameworkTestRun::RunnerRequest() const {
  ChannelRequest request;
  request.keys = {{"case-ms", fmt::format("{}", std::chrono::duration_cast<Milliseconds>(options_.case_time).count())},
                  {"tests-ms", fmt::format("{}", std::chrono::duration_cast<Milliseconds>(phase_->Left()).count())},
                  {"output-bytes", fmt::format("{}", kMostWritten.count)},
                  {"text-characters", fmt::format("{}", settings_.max_output_size.count)}};
  if (options_.coverage_time) {  // one that is started again has not all cases before it
    const Nanoseconds most = cases_.empty() ? *options_.coverage_time : Nanoseconds(0);
    request.keys.emplace_back("coverage-ms", fmt::format("{}", std::chrono::duration_cast<Milliseconds>(most).count()));
  }
  for (const std::string& id : options_.skip) request.keys.emplace_back("skip", id);
  for (const std::string& id : cases_.Done()) request.keys.emplace_back("skip", id);
  for (const std::vector<std::string>* folders : {&spec_.send, &options_.send}) {
    for (const std::string& folder : *folders) {
      for (const std::string& path : work_.FilesIn(folder)) request.files.emplace_back(path, sys::ReadFile(work_.path() + "/" + path));
    }
  }
  return request;
}

void FrameworkTestRun::RunWithRunner() {
  std::size_t judged_before = 0;
  do {
    judged_before = cases_.Judged();
    if (options_.solution_side != nullptr) {
      RunBesideSolution(RunnerRequest());
    } else {
      RunRunner(RunnerRequest(), {});
    }
    // It goes on as long as each start brings at least one verdict.
  } while (!cases_.AllJudged() && phase_->Left() > Nanoseconds(0) && cases_.Judged() > judged_before);
  if (phase_->Left() == Nanoseconds(0)) {
    cases_.JudgeRest(CaseStatus::kTimeout, fmt::format("not run: the tests' time of {} was over", SecondsText(phase_->limit())));
  } else {
    cases_.JudgeRest(CaseStatus::kError, "was not run");
  }
}

void FrameworkTestRun::RunRunner(const ChannelRequest& request, const std::vector<int>& more_descriptors) {
  const ReportChannel channel(request);
  StepOptions options = OptionsFor(channel);
  options.more_descriptors = more_descriptors;
  const StepResult step = phase_->Run(commands_.ForCase(Command(), ""), options);
  TakeRunnerReport(step, channel.Read());
}

// The runner asks for the solution's processes itself.
void FrameworkTestRun::RunBesideSolution(ChannelRequest request) {
  {
    const SolutionSide::Ends ends = options_.solution_side->Start();
    const std::pair<const char*, int> names[] = {
        {"calls-fd", ends.calls.get()}, {"answers-fd", ends.answers.get()}, {"orders-fd", ends.orders.get()}, {"notices-fd", ends.notices.get()}};
    std::vector<int> descriptors;
    for (const auto& [name, fd] : names) {
      request.keys.emplace_back(name, std::to_string(fd));
      descriptors.push_back(fd);
    }
    for (const std::string& path : work_.FilesIn("solution")) request.keys.emplace_back("solution", path.substr(std::string_view("solution/").size()));
    RunRunner(request, descriptors);
  }
  KeepOutput(options_.solution_side->Wait());
}

void FrameworkTestRun::TakeRunnerReport(const StepResult& step, const ChannelReport& report) {
  KeepOutput(step.out + step.err);
  std::string running;  // the case that began and has no report
  for (const ChannelRecord& record : report.records) {
    if (record.kind == "cases") ExpectCases(ListedCases(record.payload));
    if (record.kind == "begin") running = record.payload;
    if (record.kind == "output") KeepOutput(record.payload);
    if (record.kind == "leaks") AddLeaks(record.payload);
    if (record.kind == "report" && TakeReport(record.payload, running)) running.clear();
  }
  measured_ = report.Find("judged") != nullptr && report.Find("done") != nullptr;
  if (const std::string* why = report.Find("unmeasured")) unmeasured_ = *why;
  if (report.Find("judged") != nullptr || report.Find("done") != nullptr) return;
  // Nobody knows of any case: then the tests as a whole are the one that failed.
  if (cases_.empty()) cases_.Expect("tests");
  const CaseVerdict ended = JudgeCase(step, report, phase_->limit(), phase_->limit());
  if (!running.empty()) {
    cases_.Judge(running, ended.test, ended.suite);
  } else if (cases_.Judged() == 0) {
    cases_.JudgeRest(ended.test.status, ended.test.message);
  }
}

// Once: what the runner finds when it is started again is no news.
void FrameworkTestRun::ExpectCases(const CaseNames& cases) {
  if (!cases_.empty()) return;
  for (const std::string& id : cases.names) cases_.Expect(id);
  if (cases.left_out > 0) {
    const std::string rest = fmt::format("more than {} cases", cases.names.size());
    cases_.Expect(rest);
    cases_.Judge(rest, CaseStatus::kError, fmt::format("{} were left out", cases.left_out));
  }
  for (const std::string& id : options_.skip) cases_.Judge(id, CaseStatus::kPending, "left out");
}

// true: the case that is running has its verdict.
bool FrameworkTestRun::TakeReport(const std::string& text, const std::string& running) {
  bool found = false;
  const bool expected_before = !cases_.empty();
  const JUnitReport report = ReadJUnit(text);
  if (!report.fault.empty()) KeepOutput(report.fault + "\n");
  for (const TestSuite& suite : report.suites) {
    for (const TestCase& test : suite.cases) {
      if (!expected_before) cases_.Expect(test.Id());
      found = found || test.Id() == running;
      cases_.Judge(test.Id(), test, suite.name);
    }
  }
  return found;
}

// A process for each -------------------------------------------------------------------------------------------

void FrameworkTestRun::RunTestFiles() {
  const std::vector<std::string> tests = commands_.TestSources();
  for (const std::string& test : tests) cases_.Expect(commands_.CaseName(test));
  for (const std::string& test : tests) RunCase(commands_.CaseName(test), test);
}

void FrameworkTestRun::RunListed() {
  const ReportChannel channel({});
  StepOptions options = OptionsFor(channel);
  options.output = kLongestList;
  const StepResult step = phase_->Run(commands_.ForCase(options_.list.empty() ? spec_.list : options_.list, ""), options);
  const ChannelReport report = channel.Read();
  KeepOutput(step.err);
  if (report.Find("done") == nullptr || step.run.code == ResultCode::kOle) {
    const CaseVerdict ended = JudgeCase(step, report, phase_->limit(), phase_->limit());
    cases_.Expect("tests");
    cases_.JudgeRest(ended.test.status, "while the tests were listed: " + ended.test.message);
    return;
  }
  const CaseNames cases = ListedCases(step.out);
  ExpectCases(cases);
  for (const std::string& name : cases.names) RunCase(name, "");
}

// The tests' process asks for the solution's itself.
StepResult FrameworkTestRun::RunCaseCommand(const std::vector<std::string>& command, StepOptions* options) {
  if (options_.solution_side == nullptr) return phase_->Run(command, *options);
  StepResult step;
  {
    const SolutionSide::Ends ends = options_.solution_side->Start();
    options->more_descriptors = {ends.calls.get(), ends.answers.get(), ends.orders.get(), ends.notices.get()};
    options->environment.push_back(fmt::format("TALLY_SPLIT={}", fmt::join(options->more_descriptors, " ")));
    step = phase_->Run(command, *options);
  }
  step.err += options_.solution_side->Wait();
  return step;
}

void FrameworkTestRun::RunCase(const std::string& name, const std::string& test) {
  if (std::find(options_.skip.begin(), options_.skip.end(), name) != options_.skip.end()) {
    cases_.Judge(name, CaseStatus::kPending, "left out");
    return;
  }
  if (name != ShortName(name)) {
    cases_.Judge(name, CaseStatus::kError, "its name is too long to be asked for");
    return;
  }
  const ReportChannel channel({});
  StepOptions options = OptionsFor(channel);
  options.wall = options_.case_time;
  const StepResult step = RunCaseCommand(commands_.ForCase(Command(), name, test), &options);
  const ChannelReport report = channel.Read();
  CaseVerdict verdict = JudgeCase(step, report, options_.case_time, phase_->limit());
  verdict.test.out = step.out;
  verdict.test.err = step.err;
  if (!verdict.test.seconds) verdict.test.seconds = std::chrono::duration<double>(step.run.wall_time).count();
  if (const std::string* leaks = report.Find("leaks")) AddLeaks(*leaks);
  cases_.Judge(name, std::move(verdict.test), verdict.suite);
}

}  // namespace tally
