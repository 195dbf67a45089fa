// Reports of test processes: what is believed of them, and what is not.
#include <unistd.h>

#include <string>

#include "evaluation/case_lines.h"
#include "evaluation/case_list.h"
#include "evaluation/case_verdict.h"
#include "evaluation/junit_xml.h"
#include "evaluation/report_channel.h"
#include "evaluation/test_cases.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

const std::string kSecret(32, 'a');

std::string Record(const std::string& kind, const std::string& payload) {
  return kSecret + " " + kind + " " + std::to_string(payload.size()) + "\n" + payload + "\n";
}

StepResult Ended(ResultCode code, int exit_code = 0) {
  StepResult step;
  step.run.code = code;
  step.run.exit_code = exit_code;
  return step;
}

std::string Verdict(const StepResult& step, const std::string& content) {
  const CaseVerdict verdict = JudgeCase(step, ParseChannel(kSecret, content), std::chrono::seconds(2), std::chrono::seconds(60));
  return std::string(Name(verdict.test.status)) + (verdict.test.message.empty() ? "" : ": " + verdict.test.message);
}

constexpr const char* kPass = R"(<testsuite name="s"><testcase name="a" time="0.5"/></testsuite>)";
constexpr const char* kFail = R"(<testsuite name="s"><testcase name="a"><failure message="2 is not 3">f.c:1</failure></testcase></testsuite>)";

TEST_CASE("records behind the secret are believed, in their order; the last of a kind counts") {
  const ChannelReport report = ParseChannel(kSecret, Record("begin", "x") + Record("report", "a\nb") + Record("report", "c") + Record("done", "1"));
  CHECK(report.fault == "");
  REQUIRE(report.records.size() == 4);
  CHECK(report.records[1].payload == "a\nb");
  CHECK(*report.Find("done") == "1");
  CHECK(report.Find("cases") == nullptr);
}

TEST_CASE("anything else in the channel makes all of it worthless") {
  const std::string good = Record("report", kPass) + Record("done", "0");
  for (const std::string& forged :
       {std::string("<testsuite/>"), std::string(32, 'b') + " done 1\n0\n", good + "x", "x" + good, kSecret, kSecret + "\n",
        kSecret + " done 5\n0\n", kSecret + " done\n0\n", kSecret + " done 1x\n0\n", kSecret + " DONE 1\n0\n", good + Record("done", "0"), kSecret + " done 99999999999999999999\n0\n"}) {
    INFO(forged);
    const ChannelReport report = ParseChannel(kSecret, forged);
    CHECK(report.fault == "something that is not the test framework wrote into the report");
    CHECK(report.records.empty());
  }
}

TEST_CASE("a channel that nobody took has no record and no fault") {
  const ReportChannel channel({{{"case-ms", "100"}}, {{"tests/a.py", "pass\n"}}});
  const ChannelReport report = channel.Read();
  CHECK(report.records.empty());
  CHECK(report.fault == "");
}

TEST_CASE("a case passes by its report and the end of its process together, and by nothing less") {
  const std::string done = Record("done", "0");
  CHECK(Verdict(Ended(ResultCode::kOk), Record("report", kPass) + done) == "passed");
  CHECK(Verdict(Ended(ResultCode::kRe, 1), Record("report", kFail) + Record("done", "1")) == "failure: 2 is not 3");
  CHECK(Verdict(Ended(ResultCode::kOk), "") == "error: the program ended before its test did (exit status 0)");
  CHECK(Verdict(Ended(ResultCode::kOk), Record("report", kPass)) == "error: the program ended before its test did (exit status 0)");
  CHECK(Verdict(Ended(ResultCode::kOk), done) == "error: there is no report" );
  CHECK(Verdict(Ended(ResultCode::kOk), Record("report", "<testsuite") + done).find("error: the report is no JUnit XML") == 0);
  CHECK(Verdict(Ended(ResultCode::kOk), Record("report", "<testsuite/>") + done) == "error: the report has no such case");
  CHECK(Verdict(Ended(ResultCode::kRe, 3), Record("report", kPass) + Record("done", "3")) ==
        "error: the report says passed, and the exit status is 3");
  CHECK(Verdict(Ended(ResultCode::kOk), Record("report", kPass) + "garbage" + done) ==
        "error: something that is not the test framework wrote into the report");
}

TEST_CASE("limits win over any report") {
  const std::string good = Record("report", kPass) + Record("done", "0");
  CHECK(Verdict(Ended(ResultCode::kTle), good) == "timeout: cut off after 2 s");
  StepResult over = Ended(ResultCode::kTle);
  over.phase_over = true;
  CHECK(Verdict(over, good) == "timeout: the tests' time of 60 s was over");
  StepResult memory = Ended(ResultCode::kMle);
  memory.run.sentence = "memory limit exceeded";
  CHECK(Verdict(memory, good) == "error: memory limit exceeded");
}

TEST_CASE("a report of more than 64 MiB is none") {
  const ReportChannel channel({});
  const std::string text(1 << 20, 'x');
  for (int i = 0; i < 65; ++i) REQUIRE(::write(channel.fd(), text.data(), text.size()) == 1 << 20);
  CHECK(channel.Read().fault == "the report is longer than 64 MiB");
}

TEST_CASE("texts of a case are cut where it is judged, and all together are bounded") {
  TestCases cases(Characters{65536});
  for (int i = 0; i < 300; ++i) cases.Expect(std::to_string(i));
  TestCase loud;
  loud.message = loud.details = std::string(1 << 20, 'x');
  loud.out = loud.err = loud.message;
  for (int i = 0; i < 300; ++i) CHECK(cases.Judge(std::to_string(i), loud, loud.message));
  const TestSuite suite = cases.Suites().at(0);
  CHECK(suite.name.size() < 1100);
  REQUIRE(suite.cases.size() == 300);
  for (const std::string& text : {suite.cases[0].message, suite.cases[0].details, *suite.cases[0].out, *suite.cases[0].err}) {
    CHECK(text == std::string(65536, 'x') + "\n[983,040 more characters]\n");
  }
  CHECK(suite.cases[299].message == "\n[1048576 more bytes]\n");
}

TEST_CASE("a text of a case is cut behind a character, and not within one") {
  TestCases cases(Characters{3});
  cases.Expect("case");
  TestCase verdict;
  verdict.message = "\xe2\x82\xac\xf0\x9f\x8e\x89";  // two characters
  verdict.details = "\xe2\x82\xacż\xf0\x9f\x8e\x89żż";
  verdict.out = "\xff\xffx\xff";
  cases.Judge("case", verdict, "");
  const TestCase judged = cases.Suites()[0].cases[0];
  CHECK(judged.message == verdict.message);
  CHECK(judged.details == "\xe2\x82\xacż\xf0\x9f\x8e\x89\n[2 more characters]\n");
  CHECK(judged.out == "\xff\xffx\n[1 more character]\n");
}

TEST_CASE("the output of a test run has a line for each case, behind what the process said, and no more characters than are wanted") {
  EvaluationResult tests;
  AddCaseLines({1000}, &tests);
  CHECK(tests.output == "");
  TestCase adds, joins;
  adds.name = "adds";
  adds.class_name = "Sum";
  adds.status = CaseStatus::kPassed;
  joins.name = "joins";
  joins.status = CaseStatus::kTimeout;
  joins.message = "cut off\nafter 2 s";
  tests.suites = {{"s", {adds, joins}}};
  tests.output = "said";
  const std::string lines = "Cases: 1 of 2 passed\npassed   adds#Sum\ntimeout  joins: cut off\n";
  EvaluationResult briefly = tests, least = tests;
  AddCaseLines({1000}, &tests);
  CHECK(tests.output == "said\n" + lines);
  AddCaseLines({lines.size() + 2}, &briefly);
  CHECK(briefly.output == "sa\n[3 more characters]\n" + lines);
  AddCaseLines({6}, &least);
  CHECK(least.output == "\n[5 more characters]\nCases:\n[" + std::to_string(lines.size() - 6) + " more characters]\n");
}

TEST_CASE("JUnit XML: suites in suites, failures, errors, timeouts, skipped ones, and what a case printed") {
  const JUnitReport report = ReadJUnit(R"(<?xml version="1.0"?><testsuites><testsuite name="outer"><testsuite name="inner">
    <testcase name="ok" classname="C" time="0.25"><system-out>hello</system-out><system-err>oh</system-err></testcase>
    <testcase name="bad" classname="C"><failure>
        first line
        second</failure></testcase>
    <testcase name="worse"><error message="crash" type="E"/></testcase>
    <testcase name="late"><error message="cut off" type="timeout"/></testcase>
    <testcase name="later"><skipped message="not today"/></testcase>
    <testcase name="DISABLED_x" status="notrun"/>
  </testsuite></testsuite></testsuites>)");
  REQUIRE(report.fault == "");
  REQUIRE(report.suites.size() == 1);
  CHECK(report.suites[0].name == "inner");
  const std::vector<TestCase>& cases = report.suites[0].cases;
  REQUIRE(cases.size() == 6);
  CHECK(cases[0].status == CaseStatus::kPassed);
  CHECK(cases[0].Id() == "ok#C");
  CHECK(cases[0].seconds == 0.25);
  CHECK(cases[0].out == "hello");
  CHECK(cases[0].err == "oh");
  CHECK(cases[1].message == "first line");
  CHECK(cases[2].status == CaseStatus::kError);
  CHECK(cases[2].Id() == "worse");
  CHECK(cases[3].status == CaseStatus::kTimeout);
  CHECK(cases[4].status == CaseStatus::kPending);
  CHECK(cases[5].status == CaseStatus::kPending);
}

TEST_CASE("a runner's report may be one case alone; an entity of its own making is no text") {
  const JUnitReport one = ReadJUnit("<testcase name='a'/>");
  REQUIRE(one.suites.size() == 1);
  CHECK(one.suites[0].cases.size() == 1);
  const JUnitReport bomb = ReadJUnit("<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><testcase name='&a;'/>");
  if (!bomb.suites.empty()) CHECK(bomb.suites[0].cases[0].name == "&a;");
}

TEST_CASE("lists of cases: a line each; a long one stays, and how many are too many is known") {
  const std::string long_name(2000, 'x');
  CHECK(ListedCases("a b\n\n  c  \n" + long_name + "\nd").names == std::vector<std::string>{"a b", "c", long_name, "d"});
  std::string many;
  for (int i = 0; i < 10'003; ++i) many += std::to_string(i) + "\n";
  const CaseNames cases = ListedCases(many);
  CHECK(cases.names.size() == 10'000);
  CHECK(cases.left_out == 3);
}

TEST_CASE("a case with a long name has a short one that is its own, and is found by the long one") {
  const std::string one = std::string(2000, 'x') + "1#C", two = std::string(2000, 'x') + "2#C";
  TestCases cases(Characters{65536});
  cases.Expect(one);
  cases.Expect(two);
  TestCase passed;
  passed.status = CaseStatus::kPassed;
  CHECK(cases.Judge(two, passed, ""));
  const TestSuite suite = cases.Suites().at(0);
  CHECK(suite.cases[0].status == CaseStatus::kError);
  CHECK(suite.cases[1].status == CaseStatus::kPassed);
  CHECK(suite.cases[0].name != suite.cases[1].name);
  CHECK(suite.cases[0].name.size() <= 1024);
  CHECK(suite.cases[0].class_name == "C");
}

}  // namespace
}  // namespace tally
