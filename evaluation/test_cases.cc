#include "evaluation/test_cases.h"

#include <algorithm>

#include "base/utf8.h"
#include "evaluation/case_list.h"
#include "evaluation/phase.h"

namespace tally {
namespace {

constexpr Bytes kLongestSuite = Bytes::KiB(1);

// "name#class", or a name alone; by its whole id a case is still found.
TestCase FromId(const std::string& id) {
  TestCase test;
  const std::size_t hash = id.rfind('#');
  test.name = ShortName(id.substr(0, hash));
  if (hash != std::string::npos) test.class_name = ShortName(id.substr(hash + 1));
  return test;
}

}  // namespace

void TestCases::Expect(const std::string& id) { entries_.push_back({id, "", FromId(id)}); }

bool TestCases::AllJudged() const {
  return std::all_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.judged; });
}

std::size_t TestCases::Judged() const {
  return static_cast<std::size_t>(std::count_if(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.judged; }));
}

std::vector<std::string> TestCases::Done() const {
  std::vector<std::string> ids;
  for (const Entry& entry : entries_) {
    if (entry.judged) ids.push_back(entry.id);
  }
  return ids;
}

bool TestCases::Judge(const std::string& id, TestCase verdict, const std::string& suite) {
  for (Entry& entry : entries_) {
    if (entry.judged || entry.id != id) continue;
    // What it is called was known before the solution had a say.
    verdict.name = entry.test.name;
    verdict.class_name = entry.test.class_name;
    CutTexts(&verdict);
    entry.test = std::move(verdict);
    entry.suite = Cut(suite, kLongestSuite);
    return entry.judged = true;
  }
  return false;
}

void TestCases::CutTexts(TestCase* test) {
  const auto cut = [this](std::string* text) {
    const bool is_room = BytesOfFirst(longest_, *text) <= left_.count;
    *text = is_room ? Cut(std::move(*text), longest_) : Cut(std::move(*text), left_);
    left_.count -= std::min(text->size(), left_.count);
  };
  cut(&test->message);
  cut(&test->details);
  if (test->out) cut(&*test->out);
  if (test->err) cut(&*test->err);
}

bool TestCases::Judge(const std::string& id, CaseStatus status, const std::string& message) {
  TestCase verdict;
  verdict.status = status;
  verdict.message = message;
  return Judge(id, std::move(verdict), "");
}

void TestCases::JudgeRest(CaseStatus status, const std::string& message) {
  for (Entry& entry : entries_) {
    if (entry.judged) continue;
    entry.test.status = status;
    entry.test.message = message;
    entry.judged = true;
  }
}

std::vector<TestSuite> TestCases::Suites() const {
  std::vector<TestSuite> suites;
  for (const Entry& entry : entries_) {
    const std::string& name = !entry.suite.empty() ? entry.suite : !entry.test.class_name.empty() ? entry.test.class_name : "tests";
    auto suite = std::find_if(suites.begin(), suites.end(), [&](const TestSuite& s) { return s.name == name; });
    if (suite == suites.end()) suite = suites.insert(suites.end(), {name, {}});
    suite->cases.push_back(entry.test);
  }
  return suites;
}

}  // namespace tally
