#include "evaluation/case_verdict.h"

#include <fmt/format.h>

#include <algorithm>

namespace tally {
namespace {

constexpr const char* kEndedEarly = "the program ended before its test did";

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

CaseVerdict ByReport(const std::string& done, const std::string* text) {
  const JUnitReport report = text == nullptr ? JUnitReport{{}, "there is no report"} : ReadJUnit(*text);
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

CaseVerdict JudgeCase(const StepResult& step, const ChannelReport& report, Nanoseconds case_time, Nanoseconds tests_time) {
  CaseVerdict verdict;  // an error, until something better is known
  TestCase& test = verdict.test;
  const std::string* done = report.Find("done");
  const bool ended_by_itself = step.run.code == ResultCode::kOk || step.run.code == ResultCode::kRe;
  if (step.phase_over) {
    test.status = CaseStatus::kTimeout;
    test.message = fmt::format("the tests' time of {} was over", SecondsText(tests_time));
  } else if (step.run.code == ResultCode::kTle) {
    test.status = CaseStatus::kTimeout;
    test.message = "cut off after " + SecondsText(case_time);
  } else if (!report.fault.empty()) {
    test.message = report.fault;
  } else if (done == nullptr || !ended_by_itself) {
    test.message = HowItEnded(step.run);
  } else {
    verdict = ByReport(*done, report.Find("report"));
  }
  return verdict;
}

}  // namespace tally
