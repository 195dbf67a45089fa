// What judging found, as the verdict of a solution and as JSON.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "jobs/judging.h"

namespace tally {
namespace {

using nlohmann::json;

json ScoreJson(const Package& package, const Score& score) {
  json out{{"points", score.points}, {"most", score.most}, {"groups", json::array()}};
  for (std::size_t i = 0; i < package.groups.size(); ++i) {
    json group{{"group", package.groups[i].name}, {"points", score.groups[i]}, {"most", package.groups[i].points}, {"tests", json::array()}};
    for (const std::size_t test : package.groups[i].tests) group["tests"].push_back(package.tests[test].name);
    out["groups"].push_back(std::move(group));
  }
  return out;
}

json TestJson(const TestReport& test) {
  if (!test.not_run.empty()) return {{"test", test.test}, {"not_run", test.not_run}};
  json entry = json::parse(test.json);
  entry["test"] = test.test;
  if (!test.last_words.empty()) entry["stderr"] = test.last_words;
  return entry;
}

}  // namespace

std::optional<Nanoseconds> TestReport::ShownTime() const {
  if (is_late) return real_time;
  if (!virtual_time) return cpu_time;
  return instructions ? std::optional(ExactVirtualTime({*instructions})) : std::nullopt;
}

ResultCode SolutionReport::Worst() const {
  if (!compilation.ok) return ResultCode::kCe;
  for (const TestReport& test : tests) {
    if (test.not_run.empty() && test.code != ResultCode::kOk) return test.code;
  }
  return ResultCode::kOk;
}

std::size_t SolutionReport::Accepted() const {
  return static_cast<std::size_t>(
      std::count_if(tests.begin(), tests.end(), [](const TestReport& t) { return t.not_run.empty() && t.code == ResultCode::kOk; }));
}

std::string ReportJson(const Package& package, const std::vector<SolutionReport>& reports) {
  json out{{"tally", TALLY_VERSION}, {"package", package.directory}, {"title", package.title},
           {"limits_from", package.limits_from}, {"warnings", package.warnings}, {"not_read", package.not_read}, {"solutions", json::array()}};
  for (const SolutionReport& report : reports) {
    if (!report.not_judged.empty()) {
      out["solutions"].push_back({{"file", report.file}, {"not_judged", report.not_judged}});
      continue;
    }
    json solution{{"file", report.file},
                  {"verdict", Name(report.Worst())},
                  {"accepted", report.Accepted()},
                  {"compiler", report.compilation.compiler},
                  {"compiler_output", report.compilation.output},
                  {"tests", json::array()}};
    if (!report.compilation.ok) solution["compilation"] = report.compilation.sentence;
    if (report.score) solution["score"] = ScoreJson(package, *report.score);
    for (const TestReport& test : report.tests) solution["tests"].push_back(TestJson(test));
    out["solutions"].push_back(std::move(solution));
  }
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace tally
