#include "evaluation/test_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "base/sys.h"
#include "evaluation/junit_xml.h"
#include "evaluation/report_channel.h"

namespace tally {
namespace {

constexpr const char* kEndedEarly = "the program ended before its test did";

double Seconds(Nanoseconds time) { return std::chrono::duration<double>(time).count(); }

// How a process ended that has not told what became of its case.
std::string HowItEnded(const RunResult& run) {
  if (run.code != ResultCode::kOk && run.code != ResultCode::kRe) return run.sentence;
  if (run.signal) return fmt::format("{}: {}", kEndedEarly, run.sentence);
  return fmt::format("{} (exit status {})", kEndedEarly, run.exit_code.value_or(0));
}

JUnitReport ReadReport(ReportFormat format, const std::string& text) {
  return format == ReportFormat::kCheck ? ReadCheckXml(text) : ReadJUnit(text);
}

// One process was one case; its report may have several entries (sections), of which the worst counts.
TestCase WorstOf(const JUnitReport& report) {
  TestCase worst;
  worst.status = CaseStatus::kPassed;
  bool any = false;
  for (const TestSuite& suite : report.suites) {
    for (const TestCase& test : suite.cases) {
      const auto rank = [](CaseStatus status) { return status == CaseStatus::kPending ? -1 : static_cast<int>(status); };
      if (!any || rank(test.status) > rank(worst.status)) worst = test;
      any = true;
    }
  }
  if (!any) {
    worst.status = CaseStatus::kError;
    worst.message = "the report has no such case";
  }
  return worst;
}

// Catch2 reads a comma as "or" and brackets as tags.
std::string AsTestSpec(CaseList how, const std::string& name) {
  if (how != CaseList::kLines) return name;
  std::string out;
  for (const char c : name) {
    if (c == ',' || c == '[' || c == ']' || c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string Trimmed(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  return begin == std::string::npos ? "" : line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

// The first line that says something.
std::string FirstLine(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (const std::string line = Trimmed(text.substr(at, end - at)); !line.empty()) return line;
    at = end + 1;
  }
  return "";
}

// A name that the solution may have made up stays one argument of one line.
bool IsCaseName(const std::string& name) { return !name.empty() && name.size() <= 1024; }

}  // namespace

std::vector<std::string> ListedCases(CaseList how, const std::string& text) {
  std::vector<std::string> names;
  std::string group;  // GoogleTest's "Suite."
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const std::string name = Trimmed(how == CaseList::kGoogleTest ? line.substr(0, line.find("  # ")) : line);
    if (!IsCaseName(name)) continue;
    if (how == CaseList::kGoogleTest && line.front() != ' ') {
      group = name.back() == '.' ? name : "";  // others are what the program printed
    } else if (how != CaseList::kGoogleTest || !group.empty()) {
      names.push_back(group + name);
    }
  }
  return names;
}

TestResult TestRun::Run() {
  if (spec_.cases == CaseList::kRunner) {
    RunWithRunner();
  } else {
    RunEachCase();
  }
  result_.suites = cases_.Suites();
  result_.output = Cut(std::move(result_.output), settings_.max_output_size);
  return std::move(result_);
}

StepOptions TestRun::OptionsFor(int channel) const {
  StepOptions options;
  options.stdin_fd = channel;
  options.output = settings_.max_output_size;
  options.processes = spec_.processes;
  options.memory_by = spec_.memory_by;
  options.environment = spec_.environment;
  if (!spec_.report_file.empty()) options.environment.push_back("TALLY_REPORT_FILE=" + spec_.report_file);
  options.environment.insert(options.environment.end(), options_.environment.begin(), options_.environment.end());
  return options;
}

void TestRun::KeepOutput(const std::string& text) {
  if (result_.output.size() <= settings_.max_output_size.count) result_.output += text;
}

// A runner for all of them -------------------------------------------------------------------------------------

void TestRun::RunWithRunner() {
  ChannelRequest request;
  request.keys = {{"case-ms", fmt::format("{}", std::chrono::duration_cast<Milliseconds>(options_.case_time).count())},
                  {"output-bytes", fmt::format("{}", settings_.max_output_size.count)}};
  for (const std::string& folder : spec_.send) {
    for (const std::string& path : work_.FilesIn(folder)) request.files.emplace_back(path, sys::ReadFile(work_.path() + "/" + path));
  }
  const std::size_t fixed = request.keys.size();
  for (;;) {
    request.keys.resize(fixed);
    for (const std::string& id : options_.skip) request.keys.emplace_back("skip", id);
    for (const std::string& id : cases_.Done()) request.keys.emplace_back("skip", id);
    const std::size_t judged_before = cases_.Judged();
    const ReportChannel channel(request);
    const StepResult step = phase_->Run(commands_.ForCase(Command(), ""), OptionsFor(channel.fd()));
    TakeRunnerReport(step, channel.Read());
    if (cases_.AllJudged() || step.phase_over || cases_.Judged() == judged_before) break;
  }
  const bool over = phase_->Left() == Nanoseconds(0);
  cases_.JudgeRest(over ? CaseStatus::kTimeout : CaseStatus::kError,
                   over ? fmt::format("not run: the tests' time of {:.3g} s was over", Seconds(phase_->limit())) : "was not run");
}

void TestRun::TakeRunnerReport(const StepResult& step, const ChannelReport& report) {
  KeepOutput(step.out + step.err);
  std::string running;  // the case that began and has no report
  for (const ChannelRecord& record : report.records) {
    if (record.kind == "cases" && cases_.empty()) {
      for (const std::string& id : ListedCases(CaseList::kLines, record.payload)) cases_.Expect(id);
      for (const std::string& id : options_.skip) cases_.Judge(id, CaseStatus::kPending, "left out");
    } else if (record.kind == "begin") {
      running = record.payload;
    } else if (record.kind == "output") {
      KeepOutput(record.payload);
    } else if (record.kind == "report") {
      for (const TestSuite& suite : ReadReport(spec_.report, record.payload).suites) {
        if (cases_.empty() || spec_.report == ReportFormat::kCheck) {
          for (const TestCase& test : suite.cases) cases_.Expect(test.Id());
        }
        for (const TestCase& test : suite.cases) {
          if (test.Id() == running) running.clear();
          cases_.Judge(test.Id(), test, suite.name);
        }
      }
    } else if (record.kind == "leaks") {
      long long allocations = 0, frees = 0;
      if (std::sscanf(record.payload.c_str(), "%lld %lld", &allocations, &frees) == 2) {
        result_.leaks = result_.leaks.value_or(0) + allocations - frees;
      }
    }
  }
  if (report.Find("done") != nullptr) return;
  const bool cut_off = step.run.code == ResultCode::kTle || step.phase_over;
  const CaseStatus status = cut_off ? CaseStatus::kTimeout : CaseStatus::kError;
  const std::string why = !report.fault.empty() ? report.fault
                          : step.phase_over     ? fmt::format("cut off: the tests' time of {:.3g} s was over", Seconds(phase_->limit()))
                                                : HowItEnded(step.run);
  // Nobody knows of any case: then the tests as a whole are the one that failed.
  if (cases_.empty()) cases_.Expect("tests");
  if (!running.empty()) {
    cases_.Judge(running, status, why);
  } else if (cases_.Judged() == 0) {
    cases_.JudgeRest(status, why);
  }
}

// A process for each -------------------------------------------------------------------------------------------

void TestRun::RunEachCase() {
  if (spec_.cases == CaseList::kTestFiles) {
    for (const std::string& test : commands_.TestSources()) {
      cases_.Expect(PlainName(test));
      RunCase(PlainName(test), test);
    }
    return;
  }
  const ReportChannel channel({});
  const StepResult step = phase_->Run(commands_.ForCase(spec_.list, ""), OptionsFor(channel.fd()));
  const ChannelReport report = channel.Read();
  KeepOutput(step.err);
  if (report.Find("done") == nullptr) {
    cases_.Expect("tests");
    cases_.JudgeRest(CaseStatus::kError, report.fault.empty() ? "while the tests were listed: " + HowItEnded(step.run) : report.fault);
    return;
  }
  const std::vector<std::string> names = ListedCases(spec_.cases, step.out);
  for (const std::string& name : names) cases_.Expect(name);
  for (const std::string& name : names) RunCase(name, "");
}

void TestRun::RunCase(const std::string& name, const std::string& test) {
  if (std::find(options_.skip.begin(), options_.skip.end(), name) != options_.skip.end()) {
    cases_.Judge(name, CaseStatus::kPending, "left out");
    return;
  }
  const ReportChannel channel({});
  StepOptions options = OptionsFor(channel.fd());
  options.wall = options_.case_time;
  const StepResult step = phase_->Run(commands_.ForCase(Command(), AsTestSpec(spec_.cases, name), test), options);
  const ChannelReport report = channel.Read();
  const std::string* done = report.Find("done");
  const std::string* written = report.Find("report");
  TestCase verdict;
  std::string suite;
  if (step.phase_over || step.run.code == ResultCode::kTle) {
    verdict.status = CaseStatus::kTimeout;
    verdict.message = step.phase_over ? fmt::format("the tests' time of {:.3g} s was over", Seconds(phase_->limit()))
                                      : fmt::format("cut off after {:.3g} s", Seconds(options_.case_time));
  } else if (!report.fault.empty()) {
    verdict.message = report.fault;
  } else if (spec_.report == ReportFormat::kNone && step.run.signal == SIGABRT) {
    verdict.status = CaseStatus::kFailure;  // assert(3)
    verdict.message = FirstLine(step.err);
  } else if (done == nullptr || (step.run.code != ResultCode::kOk && step.run.code != ResultCode::kRe)) {
    verdict.message = HowItEnded(step.run);
  } else if (spec_.report == ReportFormat::kNone) {
    verdict.status = *done == "0" ? CaseStatus::kPassed : CaseStatus::kFailure;
    if (*done != "0") verdict.message = fmt::format("exit status {}", *done);
  } else {
    const JUnitReport read = written == nullptr ? JUnitReport{{}, "there is no report"} : ReadReport(spec_.report, *written);
    verdict = WorstOf(read);
    if (!read.suites.empty()) suite = read.suites.front().name;
    if (!read.fault.empty()) verdict.message = read.fault;
    // The framework's own word, beside its report's.
    if (verdict.status == CaseStatus::kPassed && *done != "0") {
      verdict.status = CaseStatus::kError;
      verdict.message = fmt::format("the report says passed, and the exit status is {}", *done);
    }
  }
  verdict.out = Cut(step.out, settings_.max_output_size);
  verdict.err = Cut(step.err, settings_.max_output_size);
  if (!verdict.seconds) verdict.seconds = Seconds(step.run.wall_time);
  if (const std::string* leaks = report.Find("leaks")) {
    long long allocations = 0, frees = 0;
    if (std::sscanf(leaks->c_str(), "%lld %lld", &allocations, &frees) == 2) {
      result_.leaks = result_.leaks.value_or(0) + allocations - frees;
    }
  }
  cases_.Judge(name, std::move(verdict), suite);
}

}  // namespace tally
