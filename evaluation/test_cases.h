// The cases of a test run and what became of each: first their names are known, then one verdict after the other comes
// in, from whoever has it. What never got one is an error or a timeout, never a pass. Texts are cut here, whoever wrote them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/units.h"
#include "evaluation/eval_response.h"

namespace tally {

class TestCases {
 public:
  // `longest`: of each text. All of them together are bounded, too: an answer must fit into a message.
  explicit TestCases(Characters longest) : longest_(longest) {}

  // In the order of execution; ids as the report has them. A name that is there twice is two cases.
  void Expect(const std::string& id);
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] bool AllJudged() const;
  [[nodiscard]] std::size_t Judged() const;
  // Ids with a verdict, to be left out when the tests go on.
  [[nodiscard]] std::vector<std::string> Done() const;

  // The first expected case of this id without a verdict gets it; false when there is none.
  bool Judge(const std::string& id, TestCase verdict, const std::string& suite);
  // A case without report: `status` and why.
  bool Judge(const std::string& id, CaseStatus status, const std::string& message);
  // All that have no verdict yet.
  void JudgeRest(CaseStatus status, const std::string& message);

  // By suite, in the order of their first case.
  [[nodiscard]] std::vector<TestSuite> Suites() const;

 private:
  struct Entry {
    std::string id, suite;
    TestCase test;
    bool judged = false;
  };
  void CutTexts(TestCase* test);

  Characters longest_;
  Bytes left_ = Bytes::MiB(32);
  std::vector<Entry> entries_;
};

}  // namespace tally
