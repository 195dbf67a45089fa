// Catch2 2.x, one test case at a time, listed and reported from its own results in memory. This is Catch2 itself, with a
// main that the tests may replace by their own (CATCH_CONFIG_RUNNER); for CATCH_CONFIG_MAIN see catch2/catch.hpp here.
#define CATCH_CONFIG_RUNNER
#include "/usr/include/catch2/catch.hpp"

#include <cstdlib>
#include <iostream>
#include <string>

#include "frames.h"
#include "junit_text.h"
#include "tests_interface.h"

namespace {

std::string wanted;
char* report = nullptr;
std::string failed;   // the first assertion that did, in one line
std::string details;  // all

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

// What a case must have done to pass: ended, without a failure, after at least one assertion.
void Write(const Catch::TestCaseStats& stats) {
  const Catch::Totals& totals = stats.totals;
  const bool passed = totals.testCases.passed + totals.testCases.failedButOk == 1 && totals.assertions.failed == 0;
  if (failed.empty() && !passed) failed = "it has no assertion";  // of those that failed all are known
  const char* kind = !passed ? "failure" : frames_whole() ? nullptr : "error";
  if (passed) failed = FRAMES_BROKEN;
  std::size_t size = 0;
  std::FILE* out = open_memstream(&report, &size);
  if (out == nullptr) return;
  junit_case(out, "tests", stats.testInfo.name.c_str(), kind, failed.c_str(), details.c_str());
  std::fclose(out);
}

// Prints nothing: what is printed is the solution's.
struct Reporter : Catch::StreamingReporterBase<Reporter> {
  using StreamingReporterBase::StreamingReporterBase;
  static std::string getDescription() { return "for the guard"; }
  static std::set<Catch::Verbosity> getSupportedVerbosities() { return {Catch::Verbosity::Normal}; }
  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    StreamingReporterBase::testCaseStarting(info);
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
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    if (stats.testInfo.name == wanted) Write(stats);
  }
};
CATCH_REGISTER_REPORTER("tally", Reporter)

// A name as a test specification means it, whatever letters it has.
std::string Exactly(const std::string& name) {
  std::string spec = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\' || c == ',' || c == '[' || c == '*') spec += '\\';
    spec += c;
  }
  return spec + "\"";
}

}  // namespace

__attribute__((weak)) int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }

char** tally_select(char* program, char* id) {
  wanted = id;
  static std::string spec = Exactly(wanted);
  static char warn[] = "--warn", no_assertions[] = "NoAssertions", reporter[] = "--reporter=tally";
  static char* arguments[] = {program, spec.data(), warn, no_assertions, reporter, nullptr};
  return arguments;
}

int tally_list(char**) {
  for (const Catch::TestCase& test : Catch::getRegistryHub().getTestCaseRegistry().getAllTests()) {
    if (!test.isHidden()) std::cout << test.name << "\n";
  }
  std::cout.flush();
  return 0;
}

const char* tally_report() { return report == nullptr ? "" : report; }
