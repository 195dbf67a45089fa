#include "packages/submission.h"

#include <fmt/format.h>

#include <algorithm>

namespace tally {
namespace {

bool Holds(const std::vector<ResultCode>& codes, ResultCode code) { return std::find(codes.begin(), codes.end(), code) != codes.end(); }

}  // namespace

Promise ExpectRight(std::string word) {
  return {.word = std::move(word), .permitted = {ResultCode::kOk}};
}

Promise ExpectOneOf(std::string word, const std::vector<ResultCode>& verdicts) {
  Promise expected{.word = std::move(word), .permitted = verdicts};
  if (Holds(verdicts, ResultCode::kOk)) return expected;
  // A solution that does not compile has no test that is right.
  if (verdicts != std::vector<ResultCode>{ResultCode::kCe}) expected.permitted.insert(expected.permitted.begin(), ResultCode::kOk);
  expected.required = verdicts;
  return expected;
}

Promise ExpectFailure(std::string word) {
  constexpr ResultCode kFailures[] = {ResultCode::kWa, ResultCode::kTle, ResultCode::kMle, ResultCode::kOle, ResultCode::kRe, ResultCode::kRv};
  return {.word = std::move(word), .required = {std::begin(kFailures), std::end(kFailures)}};
}

std::string ListOf(const std::vector<ResultCode>& codes) {
  std::string out;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    out += i == 0 ? "" : i + 1 == codes.size() ? " or " : ", ";
    out += Name(codes[i]);
  }
  return out;
}

std::optional<std::string> Contradiction(const Promise& expected, const std::vector<ResultCode>& verdicts) {
  for (const ResultCode verdict : verdicts) {
    if (expected.permitted.empty() || Holds(expected.permitted, verdict)) continue;
    return fmt::format("it is {}, where {} permits {}", Name(verdict), expected.word, ListOf(expected.permitted));
  }
  if (expected.required.empty()) return std::nullopt;
  if (std::any_of(verdicts.begin(), verdicts.end(), [&](ResultCode verdict) { return Holds(expected.required, verdict); })) return std::nullopt;
  return fmt::format("no test is {}, which {} promises", ListOf(expected.required), expected.word);
}

}  // namespace tally
