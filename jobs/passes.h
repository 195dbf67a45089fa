// The passes of a test where a solution is run several times (Kattis' multi-pass problems): the validator accepts a pass, and leaves the
// input of the next one. Its feedback folder stays for all of them, so that it may remember.
// Source: the problem package format 2023-07, "Multi-pass validation".
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/temporary_directory.h"
#include "jobs/environ.h"
#include "packages/package.h"
#include "supervisor/api/run_request.h"

namespace tally {

class Passes {
 public:
  // `whose` input and verdict: "checker", "interactor".
  Passes(const PackageTest& test, unsigned most, Isolation isolation, std::string whose);

  // The test with this pass' input.
  [[nodiscard]] const PackageTest& test() const { return test_; }
  // The test's name; from the second pass on with its number.
  [[nodiscard]] std::string name() const;
  // The validator's folder.
  [[nodiscard]] const std::string& feedback() const { return feedback_; }

  // A pass is over, with this result: is there another? Then its input is the test's. What a pass took is then the most that any did; a failure
  // says in which it was, and an input behind the last pass is the validator's.
  [[nodiscard]] bool Next(Environ* result);

 private:
  [[nodiscard]] bool TakeInput();

  PackageTest test_;
  unsigned most_;
  std::string whose_;
  unsigned pass_ = 1;
  TemporaryDirectory directory_;
  std::string feedback_;
  std::map<std::string, std::uint64_t> most_taken_;  // by the results' names
};

}  // namespace tally
