// Catch2 2.x, one test case at a time, listed and reported from its own results in memory. This is Catch2 itself, with a
// main that the tests may replace by their own (CATCH_CONFIG_RUNNER); for CATCH_CONFIG_MAIN see catch2/catch.hpp here.
//
// The wanted case is the only one that Catch2 is left: in a test specification letters of both sizes are one, stars and blanks
// have a meaning, and a name may begin as a keyword does (exclude:).
#define CATCH_CONFIG_RUNNER
#include "/usr/include/catch2/catch.hpp"

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "caught.h"
#include "frames.h"
#include "junit_text.h"
#include "tests_interface.h"

__attribute__((weak)) int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }

namespace {

std::string wanted;
char* report = nullptr;
std::string failed;   // the first assertion that did, in one line
std::string details;  // all
int runs = 0, begun = 0;

std::string OneLine(const std::string& text) {
  std::string line;
  for (const char c : text) {
    if (c != '\n') {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  return line;
}

std::string Sentence(const Catch::AssertionResult& result) {
  std::string file = result.getSourceInfo().file;
  if (file.rfind("/box/", 0) == 0) file.erase(0, 5);
  std::string text = file + ":" + std::to_string(result.getSourceInfo().line) + ": ";
  if (result.hasExpression()) text += result.getExpressionInMacro();
  if (result.hasExpandedExpression() && result.getExpandedExpression() != result.getExpression()) {
    text += ", with expansion: " + result.getExpandedExpression();
  }
  if (result.hasMessage()) text += (result.hasExpression() ? ": " : "") + std::string(result.getMessage());
  return OneLine(text);
}

// What a case did wrong in which no assertion failed; nullptr: nothing.
const char* Fault() {
  if (runs != 1 || begun != 1) return "the test was not run once, from its begin to its end";
  if (caught_count > 0 && failed.empty()) return CAUGHT_FAULT;
  return frames_fault();
}

// What a case must have done to pass: ended, without a failure, after at least one assertion.
void Write(const Catch::TestCaseStats& stats) {
  const Catch::Totals& totals = stats.totals;
  const bool passed = totals.testCases.passed + totals.testCases.failedButOk == 1 && totals.assertions.failed == 0;
  const char* fault = Fault();
  const char* kind = !passed ? "failure" : fault != nullptr ? "error" : nullptr;
  // Of assertions that failed all are known.
  const std::string message = passed && fault != nullptr ? fault : !failed.empty() ? failed : "it has no assertion";
  std::size_t size = 0;
  std::FILE* out = open_memstream(&report, &size);
  if (out == nullptr) return;
  junit_case(out, "tests", wanted.c_str(), kind, message.c_str(), details.c_str());
  std::fclose(out);
}

// Prints nothing: what is printed is the solution's.
struct Reporter : Catch::StreamingReporterBase<Reporter> {
  using StreamingReporterBase::StreamingReporterBase;
  static std::string getDescription() { return "for the guard"; }
  static std::set<Catch::Verbosity> getSupportedVerbosities() { return {Catch::Verbosity::Normal}; }
  void testRunStarting(const Catch::TestRunInfo& info) override {
    StreamingReporterBase::testRunStarting(info);
    ++runs;
  }
  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    StreamingReporterBase::testCaseStarting(info);
    ++begun;
    frames_begin();
  }
  void assertionStarting(const Catch::AssertionInfo&) override {}
  bool assertionEnded(const Catch::AssertionStats& stats) override {
    if (stats.assertionResult.isOk()) return false;
    const std::string sentence = Sentence(stats.assertionResult);
    if (failed.empty()) failed = sentence;
    details += sentence + "\n";
    return false;
  }
  void testCaseEnded(const Catch::TestCaseStats& stats) override { Write(stats); }
};
CATCH_REGISTER_REPORTER("tally", Reporter)

// The registry's own list, before Catch2 has looked at it.
std::vector<Catch::TestCase>& Tests() {
  return const_cast<std::vector<Catch::TestCase>&>(Catch::getRegistryHub().getTestCaseRegistry().getAllTests());
}

// A case's id is its name, in one line and without blanks at its ends; of several that would be one, each has a number.
std::vector<std::string> Ids() {
  std::vector<std::string> ids;
  std::map<std::string, int> count;
  for (const Catch::TestCase& test : Tests()) {
    std::string id = OneLine(test.name);
    for (char& c : id) c = c == '\r' || c == '\t' ? ' ' : c;
    id.erase(0, id.find_first_not_of(' '));
    id.erase(id.find_last_not_of(' ') + 1);
    if (id.empty()) id = "(no name)";
    const int number = ++count[id];
    ids.push_back(number == 1 ? id : std::to_string(number) + ":" + id);
  }
  return ids;
}

char** Select(char* program, char* id) {
  wanted = id;
  std::vector<Catch::TestCase>& tests = Tests();
  const std::vector<std::string> ids = Ids();
  for (std::size_t i = ids.size(); i-- > 0;) {
    if (ids[i] != wanted) tests.erase(tests.begin() + static_cast<std::ptrdiff_t>(i));
  }
  static char warn[] = "--warn", no_assertions[] = "NoAssertions", reporter[] = "--reporter=tally";
  static char* arguments[] = {program, warn, no_assertions, reporter, nullptr};
  return arguments;
}

int List(char**) {
  const std::vector<std::string> ids = Ids();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!Tests()[i].isHidden()) std::cout << ids[i] << "\n";
  }
  std::cout.flush();
  return 0;
}

const char* Report() { return report == nullptr ? "" : report; }
int Main(int argc, char** argv, char**) { return main(argc, argv); }

}  // namespace

const struct tally_tests tally_tests = {List, Select, Main, Report};

static const std::type_info& caught_type() { return typeid(Catch::TestFailureException); }
