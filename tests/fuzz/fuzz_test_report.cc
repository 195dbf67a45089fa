// What a test process leaves in its report channel, from arbitrary bytes: without the secret there is no record, and
// whatever is behind it, reports end as cases or as a fault.
#include "evaluation/case_list.h"
#include "evaluation/case_verdict.h"
#include "evaluation/junit_xml.h"
#include "evaluation/report_channel.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tally;

TALLY_FUZZ_TARGET(test_report) {
  constexpr std::string_view kSecret = "0123456789abcdef";
  const bool knows_secret = input.substr(0, kSecret.size()) == kSecret;
  const ChannelReport report = ParseChannel(kSecret, input);
  fuzz::Require(report.records.empty() || (knows_secret && report.fault.empty()));
  StepResult step;
  step.run.code = ResultCode::kOk;
  const CaseVerdict verdict = JudgeCase(step, report, std::chrono::seconds(1), std::chrono::seconds(1));
  fuzz::Require(verdict.test.status != CaseStatus::kPassed || report.Find("done") != nullptr);
  for (const TestSuite& suite : ReadJUnit(input).suites) fuzz::Require(!suite.cases.empty());
  ListedCases(std::string(input));
}
