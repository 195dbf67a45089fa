// GoogleTest, one test at a time, listed and reported from its own results in memory. The tests may
// have a main of their own.
//
// A test passes when it was seen to begin and to end, once, in the one run that there is, and nothing that failed was seen
// meanwhile: results that GoogleTest forgets, because somebody has it run twice, are no passes. Its flags are what they are
// by default; a solution's constructors could have set their variables (GTEST_REPEAT=0).
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

#include "caught.h"
#include "frames.h"
#include "junit_text.h"
#include "tests_interface.h"

__attribute__((weak)) int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

namespace {

std::string wanted;  // NAME#SUITE
char* report = nullptr;
std::string first_failure, all_failures;  // as they were seen
int programs = 0, iterations = 0, begun = 0, ended = 0;

std::string Id(const testing::TestInfo& test) { return std::string(test.name()) + "#" + test.test_suite_name(); }

std::string Place(const testing::TestPartResult& part) {
  std::string file = part.file_name() == nullptr ? "" : part.file_name();
  if (file.rfind("/box/", 0) == 0) file.erase(0, 5);
  return file.empty() ? "" : file + ":" + std::to_string(part.line_number()) + ": ";
}

std::string OneLine(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool space = c == '\n' || c == ' ';
    if (!space || (!line.empty() && line.back() != ' ')) line += space ? ' ' : c;
  }
  return line;
}

std::string Words(const testing::TestPartResult& part) { return Place(part) + "\n" + part.message() + "\n"; }

std::string WhySkipped(const testing::TestResult& result) {
  for (int i = 0; i < result.total_part_count(); ++i) {
    const testing::TestPartResult& part = result.GetTestPartResult(i);
    if (part.skipped()) return OneLine(Place(part) + part.message());
  }
  return "";
}

// What a test without a failure did wrong; nullptr: nothing.
const char* Fault() {
  if (programs != 1 || iterations != 1 || begun != 1 || ended != 1) return "the test was not run once, from its begin to its end";
  if (caught_count > 0) return CAUGHT_FAULT;
  return frames_fault();
}

void ReportTest(std::FILE* out, const testing::TestSuite& suite, const testing::TestInfo& test) {
  const char* kind = nullptr;
  std::string message, details;
  if (!first_failure.empty()) {
    kind = "failure";
    message = first_failure;
    details = all_failures;
  } else if (!test.should_run()) {
    kind = "skipped";
    message = "the test is disabled";
  } else if (test.result()->Skipped()) {
    kind = "skipped";
    message = WhySkipped(*test.result());
  } else if (const char* fault = Fault()) {
    kind = "error";
    message = fault;
  }
  junit_case(out, suite.name(), Id(test).c_str(), kind, message.c_str(), details.c_str());
}

template <typename Visit>
void ForEachTest(const Visit& visit) {
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  for (int i = 0; i < tests.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *tests.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) visit(suite, *suite.GetTestInfo(j));
  }
}

// Sees fixtures of a suite and of the program, too: what fails in them takes its test with it.
class Reporter : public testing::EmptyTestEventListener {
  void OnTestProgramStart(const testing::UnitTest&) override { ++programs; }
  void OnTestIterationStart(const testing::UnitTest&, int) override { ++iterations; }
  void OnTestStart(const testing::TestInfo&) override {
    ++begun;
    frames_begin();
  }
  void OnTestPartResult(const testing::TestPartResult& part) override {
    if (!part.failed()) return;
    if (first_failure.empty()) first_failure = OneLine(Place(part) + part.message());
    all_failures += Words(part);
  }
  void OnTestEnd(const testing::TestInfo&) override { ++ended; }
  void OnTestProgramEnd(const testing::UnitTest&) override {
    std::size_t size = 0;
    std::FILE* out = open_memstream(&report, &size);
    if (out == nullptr) return;
    ForEachTest([out](const testing::TestSuite& suite, const testing::TestInfo& test) {
      if (Id(test) == wanted) ReportTest(out, suite, test);
    });
    std::fclose(out);
  }
};

void SetFlags() {
  testing::GTEST_FLAG(also_run_disabled_tests) = false;
  testing::GTEST_FLAG(break_on_failure) = false;
  testing::GTEST_FLAG(catch_exceptions) = true;
  testing::GTEST_FLAG(color) = "no";
  testing::GTEST_FLAG(death_test_style) = "fast";
  testing::GTEST_FLAG(fail_fast) = false;
  testing::GTEST_FLAG(output) = "";
  testing::GTEST_FLAG(repeat) = 1;
  testing::GTEST_FLAG(shuffle) = false;
  testing::GTEST_FLAG(stream_result_to) = "";
  testing::GTEST_FLAG(throw_on_failure) = false;
  for (const char* name : {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX", "GTEST_SHARD_STATUS_FILE", "TEST_PREMATURE_EXIT_FILE"}) unsetenv(name);
}

char** Select(char* program, char* id) {
  static char* arguments[] = {program, nullptr};
  wanted = id;
  const std::size_t at = wanted.rfind('#');
  SetFlags();
  testing::GTEST_FLAG(filter) = at == std::string::npos ? wanted : wanted.substr(at + 1) + "." + wanted.substr(0, at);
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());  // what is printed is the solution's
  listeners.Append(new Reporter);
  return arguments;
}

int List(char** arguments) {
  int count = 1;
  testing::InitGoogleTest(&count, arguments);
  ForEachTest([](const testing::TestSuite&, const testing::TestInfo& test) { std::cout << Id(test) << "\n"; });
  std::cout.flush();
  return 0;
}

const char* Report() { return report == nullptr ? "" : report; }
int Main(int argc, char** argv, char**) { return main(argc, argv); }

}  // namespace

const struct tally_tests tally_tests = {List, Select, Main, Report};

static const std::type_info& caught_type() { return typeid(testing::AssertionException); }
