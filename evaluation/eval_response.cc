#include "evaluation/eval_response.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace tally {
namespace {

using nlohmann::json;

json OrNull(const std::string& text) { return text.empty() ? json() : json(text); }
template <typename T>
json OrNull(const std::optional<T>& value) {
  return value ? json(*value) : json();
}

json ToJson(const Ratio& ratio) { return {{"covered", ratio.covered}, {"total", ratio.total}}; }
json ToJson(const std::optional<Ratio>& ratio) { return ratio ? ToJson(*ratio) : json(); }

json ToJson(const TestCase& test) {
  return {{"id", test.Id()},
          {"name", test.name},
          {"class_name", OrNull(test.class_name)},
          {"status", Name(test.status)},
          {"message", OrNull(test.message)},
          {"details", OrNull(test.details)},
          {"time", OrNull(test.seconds)},
          {"stdout", OrNull(test.out)},
          {"stderr", OrNull(test.err)}};
}

json ToJson(const std::vector<TestSuite>& suites) {
  json list = json::array();
  for (const TestSuite& suite : suites) {
    json cases = json::array();
    for (const TestCase& test : suite.cases) cases.push_back(ToJson(test));
    list.push_back({{"name", suite.name}, {"cases", std::move(cases)}});
  }
  return {{"suites", std::move(list)}};
}

json ToJson(const Coverage& coverage) {
  Ratio lines;
  std::optional<Ratio> branches;
  json files = json::array();
  for (const FileCoverage& file : coverage.files) {
    lines.covered += file.lines.covered;
    lines.total += file.lines.total;
    if (file.branches) {
      if (!branches) branches.emplace();
      branches->covered += file.branches->covered;
      branches->total += file.branches->total;
    }
    files.push_back({{"path", file.path},
                     {"lines", ToJson(file.lines)},
                     {"branches", ToJson(file.branches)},
                     {"missed_lines", file.missed_lines}});
  }
  return {{"tool", coverage.tool}, {"lines", ToJson(lines)}, {"branches", ToJson(branches)}, {"files", std::move(files)}};
}

json ToJson(const EvaluationResult& test) {
  const std::uint64_t total = test.Count(), passed = test.Count(CaseStatus::kPassed);
  json out{{"testcases", total},
           {"failed", total - passed},
           {"passed", passed},
           {"stats",
            {{"failures", test.Count(CaseStatus::kFailure)},
             {"errors", test.Count(CaseStatus::kError)},
             {"pending", test.Count(CaseStatus::kPending)},
             {"timeouts", test.Count(CaseStatus::kTimeout)}}},
           {"correctness", total == 0 ? 0.0 : static_cast<double>(passed) / static_cast<double>(total)},
           {"isolation", Name(test.isolation)},
           {"leaks", OrNull(test.leaks)},
           {"testsuite", ToJson(test.suites)},
           {"output", test.output},
           {"coverage", test.coverage ? ToJson(*test.coverage) : json()}};
  if (!test.coverage) out["coverage_reason"] = test.coverage_reason;
  return out;
}

json ToJson(const StyleResult& style) {
  json errors = json::array();
  for (const StyleError& error : style.errors) {
    errors.push_back({{"file", error.file},
                      {"line", error.line == 0 ? json() : json(error.line)},
                      {"column", error.column == 0 ? json() : json(error.column)},
                      {"severity", error.severity},
                      {"message", error.message},
                      {"rule", error.rule}});
  }
  return {{"errors", style.count}, {"report", {{"errors", std::move(errors)}, {"tool", style.tool}, {"version", style.version}}}};
}

json ToJson(const EvalResult& result) {
  json out{{"compilation", nullptr}, {"test", nullptr}, {"style", nullptr}};
  if (result.compilation) {
    out["compilation"] = {{"compiling", result.compilation->compiling}, {"output", result.compilation->output}};
  }
  if (result.test) out["test"] = ToJson(*result.test);
  if (result.style) out["style"] = ToJson(*result.style);
  if (!result.absent.empty()) out["absent"] = result.absent;
  return out;
}

std::int64_t Seconds(Nanoseconds time) { return std::chrono::duration_cast<std::chrono::seconds>(time).count(); }

// As operators write it: "512m".
std::string SizeText(Bytes size) {
  if (size.count % Bytes::MiB(1024).count == 0) return fmt::format("{}g", size.count / Bytes::MiB(1024).count);
  if (size.count % Bytes::MiB(1).count == 0) return fmt::format("{}m", size.count / Bytes::MiB(1).count);
  return fmt::format("{}k", size.count / Bytes::KiB(1).count);
}

json SysConf(const EvaluationSettings& s) {
  return {{"rt",
           {{"type", "tally"},
            {"mem_limit", SizeText(s.memory_limit)},
            {"cpu_quota", s.cpu_quota},
            {"auto_shutdown", Seconds(s.auto_shutdown)},
            {"network_mode", s.host_network ? "host" : "none"}}},
          {"evaluator_opts",
           {{"max_output_size", s.max_output_size.count},
            {"compile_timeout", Seconds(s.compile_timeout)},
            {"style_timeout", Seconds(s.style_timeout)},
            {"test_timeout", Seconds(s.test_timeout)},
            {"codecov_timeout", Seconds(s.codecov_timeout)}}}};
}

std::string Dump(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

}  // namespace

std::string_view Name(CaseStatus status) {
  constexpr std::string_view kNames[] = {"passed", "failure", "error", "pending", "timeout"};
  return kNames[static_cast<std::size_t>(status)];
}

std::string_view Name(TestIsolation isolation) {
  return isolation == TestIsolation::kSharedProcess ? "shared-process" : "separate-processes";
}

std::uint64_t EvaluationResult::Count(CaseStatus status) const {
  std::uint64_t count = 0;
  for (const TestSuite& suite : suites) {
    for (const TestCase& test : suite.cases) count += test.status == status ? 1 : 0;
  }
  return count;
}

std::uint64_t EvaluationResult::Count() const {
  std::uint64_t count = 0;
  for (const TestSuite& suite : suites) count += suite.cases.size();
  return count;
}

std::string SuccessJson(const EvalResult& result, const EvaluationSettings& settings) {
  return Dump({{"success", true}, {"message", nullptr}, {"result", ToJson(result)}, {"version", TALLY_VERSION},
               {"sysconf", SysConf(settings)}});
}

std::string FailureJson(std::string_view message, const EvaluationSettings& settings) {
  return Dump({{"success", false}, {"message", message}, {"result", nullptr}, {"version", TALLY_VERSION},
               {"sysconf", SysConf(settings)}});
}

}  // namespace tally
