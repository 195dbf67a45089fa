#include "evaluation/case_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

namespace tally {
namespace {

constexpr const char* kEndedEarly = "the program ended before its test did";

// The first line that says something.
std::string FirstLine(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_first_of("\r\n", begin) - begin);
}

// One process was one case; its report may have several entries (sections), of which the worst counts.
TestCase WorstOf(const JUnitReport& report) {
  const TestCase* worst = nullptr;
  const auto rank = [](CaseStatus status) { return status == CaseStatus::kPending ? -1 : static_cast<int>(status); };
  for (const TestSuite& suite : report.suites) {
    for (const TestCase& test : suite.cases) {
      if (worst == nullptr || rank(test.status) > rank(worst->status)) worst = &test;
    }
  }
  if (worst != nullptr) return *worst;
  TestCase none;
  none.message = "the report has no such case";
  return none;
}

// Without a report the process itself is the verdict, as long as it came to its end.
TestCase ByExitStatus(const std::string& status) {
  TestCase test;
  test.status = status == "0" ? CaseStatus::kPassed : CaseStatus::kFailure;
  if (status != "0") test.message = "exit status " + status;
  return test;
}

CaseVerdict ByReport(const std::string& done, const std::string* text, ReportFormat format) {
  const JUnitReport report = text == nullptr ? JUnitReport{{}, "there is no report"} : ReadReport(format, *text);
  CaseVerdict verdict{WorstOf(report), report.suites.empty() ? "" : report.suites.front().name};
  if (!report.fault.empty()) verdict.test.message = report.fault;
  if (verdict.test.status == CaseStatus::kPassed && done != "0") {
    verdict.test.status = CaseStatus::kError;
    verdict.test.message = fmt::format("the report says passed, and the exit status is {}", done);
  }
  return verdict;
}

}  // namespace

std::string SecondsText(Nanoseconds time) { return fmt::format("{:.3g} s", std::chrono::duration<double>(time).count()); }

std::string HowItEnded(const RunResult& run) {
  if (run.code != ResultCode::kOk && run.code != ResultCode::kRe) return run.sentence;
  if (run.signal) return fmt::format("{}: {}", kEndedEarly, run.sentence);
  return fmt::format("{} (exit status {})", kEndedEarly, run.exit_code.value_or(0));
}

JUnitReport ReadReport(ReportFormat format, const std::string& text) {
  return format == ReportFormat::kCheck ? ReadCheckXml(text) : ReadJUnit(text);
}

CaseVerdict JudgeCase(const StepResult& step, const ChannelReport& report, ReportFormat format, Nanoseconds case_time,
                      Nanoseconds tests_time) {
  CaseVerdict verdict;  // an error, until something better is known
  TestCase& test = verdict.test;
  const std::string* done = report.Find("done");
  const bool aborted = step.run.code == ResultCode::kRe && step.run.signal == SIGABRT;
  const bool ended_by_itself = step.run.code == ResultCode::kOk || step.run.code == ResultCode::kRe;
  if (step.phase_over) {
    test.status = CaseStatus::kTimeout;
    test.message = fmt::format("the tests' time of {} was over", SecondsText(tests_time));
  } else if (step.run.code == ResultCode::kTle) {
    test.status = CaseStatus::kTimeout;
    test.message = "cut off after " + SecondsText(case_time);
  } else if (!report.fault.empty()) {
    test.message = report.fault;
  } else if (format == ReportFormat::kNone && aborted) {  // assert(3)
    test.status = CaseStatus::kFailure;
    test.message = FirstLine(step.err);
  } else if (done == nullptr || !ended_by_itself) {
    test.message = HowItEnded(step.run);
  } else if (format == ReportFormat::kNone) {
    test = ByExitStatus(*done);
  } else {
    verdict = ByReport(*done, report.Find("report"), format);
  }
  return verdict;
}

}  // namespace tally
