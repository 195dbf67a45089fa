// GoogleTest, one test at a time, listed and reported from its own results in memory. The tests may
// have a main of their own.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

#include "frames.h"
#include "junit_text.h"
#include "tests_interface.h"

namespace {

std::string wanted;  // NAME#SUITE
char* report = nullptr;
bool whole = true;

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

struct Words {
  std::string message;  // the first, in one line
  std::string details;  // all
};

Words WordsOf(const testing::TestResult& result, bool skipped) {
  Words words;
  for (int i = 0; i < result.total_part_count(); ++i) {
    const testing::TestPartResult& part = result.GetTestPartResult(i);
    if (!(skipped ? part.skipped() : part.failed())) continue;
    if (words.details.empty()) words.message = OneLine(Place(part) + part.message());
    words.details += Place(part) + "\n" + part.message() + "\n";
  }
  return words;
}

// Fixtures of a suite and of the program fail outside of any test, and take its test with them.
const testing::TestResult* FailedFixture(const testing::UnitTest& tests, const testing::TestSuite& suite) {
  for (const testing::TestResult* result : {&suite.ad_hoc_test_result(), &tests.ad_hoc_test_result()}) {
    if (result->Failed()) return result;
  }
  return nullptr;
}

void ReportTest(std::FILE* out, const testing::TestSuite& suite, const testing::TestInfo& test) {
  const testing::TestResult& result = *test.result();
  const testing::TestResult* fixture = FailedFixture(*testing::UnitTest::GetInstance(), suite);
  const char* kind = nullptr;
  Words words;
  if (!test.should_run()) {
    kind = "skipped";
    words.message = "the test is disabled";
  } else if (result.Failed() || fixture != nullptr) {
    kind = "failure";
    words = WordsOf(result.Failed() ? result : *fixture, false);
  } else if (result.Skipped()) {
    kind = "skipped";
    words = WordsOf(result, true);
  } else if (!whole) {
    kind = "error";
    words.message = FRAMES_BROKEN;
  }
  junit_case(out, suite.name(), Id(test).c_str(), kind, words.message.c_str(), words.details.c_str());
}

template <typename Visit>
void ForEachTest(const Visit& visit) {
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  for (int i = 0; i < tests.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *tests.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) visit(suite, *suite.GetTestInfo(j));
  }
}

class Reporter : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override { frames_begin(); }
  void OnTestEnd(const testing::TestInfo&) override { whole = whole && frames_whole(); }
  void OnTestProgramEnd(const testing::UnitTest&) override {
    std::size_t size = 0;
    std::FILE* out = open_memstream(&report, &size);
    if (out == nullptr) return;
    ForEachTest([out](const testing::TestSuite& suite, const testing::TestInfo& test) {
      if (wanted.empty() || Id(test) == wanted) ReportTest(out, suite, test);
    });
    std::fclose(out);
  }
};

}  // namespace

__attribute__((weak)) int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

char** tally_select(char* program, char* id) {
  static char* arguments[] = {program, nullptr};
  wanted = id;
  const std::size_t at = wanted.rfind('#');
  testing::GTEST_FLAG(filter) = at == std::string::npos ? wanted : wanted.substr(at + 1) + "." + wanted.substr(0, at);
  testing::GTEST_FLAG(color) = "no";
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());  // what is printed is the solution's
  listeners.Append(new Reporter);
  return arguments;
}

int tally_list(char** arguments) {
  int count = 1;
  testing::InitGoogleTest(&count, arguments);
  ForEachTest([](const testing::TestSuite&, const testing::TestInfo& test) { std::cout << Id(test) << "\n"; });
  std::cout.flush();
  return 0;
}

const char* tally_report() { return report == nullptr ? "" : report; }
