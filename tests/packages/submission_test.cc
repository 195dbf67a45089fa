// What setters promise of solutions, and what contradicts it.
#include "packages/submission.h"

#include "tests/support/catch.h"

namespace tally {
namespace {

using enum ResultCode;

TEST_CASE("expectation: a right solution is OK on every test", "[package]") {
  const Promise right = ExpectRight("accepted");
  CHECK_FALSE(Contradiction(right, {kOk, kOk}));
  CHECK(Contradiction(right, {kOk, kTle}) == "it is TLE, where accepted permits OK");
  CHECK(Contradiction(right, {kCe}) == "it is CE, where accepted permits OK");
}

TEST_CASE("expectation: a wrong solution is wrong somewhere, and in no other way", "[package]") {
  const Promise wrong = ExpectOneOf("wrong_answer", {kWa});
  CHECK_FALSE(Contradiction(wrong, {kOk, kWa}));
  CHECK(Contradiction(wrong, {kOk, kOk}) == "no test is WA, which wrong_answer promises");
  CHECK(Contradiction(wrong, {kWa, kRe}) == "it is RE, where wrong_answer permits OK or WA");
}

TEST_CASE("expectation: one of several verdicts, and OK among them", "[package]") {
  CHECK_FALSE(Contradiction(ExpectOneOf("x", {kTle, kMle}), {kOk, kMle}));
  CHECK(Contradiction(ExpectOneOf("x", {kTle, kMle}), {kOk}) == "no test is TLE or MLE, which x promises");
  CHECK_FALSE(Contradiction(ExpectOneOf("x", {kOk, kTle}), {kOk, kOk}));
}

TEST_CASE("expectation: a failure of any kind is one, a solution that does not compile is none", "[package]") {
  CHECK_FALSE(Contradiction(ExpectFailure("rejected"), {kOk, kRe}));
  CHECK(Contradiction(ExpectFailure("rejected"), {kOk}));
  CHECK(Contradiction(ExpectFailure("rejected"), {kCe}));
  CHECK_FALSE(Contradiction(ExpectOneOf("CE", {kCe}), {kCe}));
  CHECK(Contradiction(ExpectOneOf("CE", {kCe}), {kOk}));
}

}  // namespace
}  // namespace tally
