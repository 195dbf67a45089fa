#include "tests/support/evaluated.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "evaluation/evaluator.h"
#include "evaluation/schema.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

using nlohmann::json;

json Files(const FileTexts& files) {
  json list = json::array();
  for (const auto& [path, content] : files) list.push_back({{"path", path}, {"content", content}});
  return list;
}

}  // namespace

json EvaluatedText(const std::string& body, const EvaluationSettings& settings) {
  const json answer = json::parse(Evaluator(settings).Evaluate(body));
  CHECK(FaultBySchema(Schema::kEvalResponse, answer) == "");
  return answer;
}

json Evaluated(const EvalCall& call, const EvaluationSettings& settings) {
  json params = json::object();
  for (const auto& [key, value] : call.params) params[key] = value;
  const json request{{"stack_ref", call.stack},
                     {"solution_files", Files(call.solution)},
                     {"include_files", Files(call.include)},
                     {"test_files", Files(call.tests)},
                     {"capability", {{"compile", call.compile}, {"test", call.test}, {"style", call.style}}},
                     {"params", params}};
  return EvaluatedText(request.dump(), settings);
}

json EvaluatedSplit(const std::string& stack, const FileTexts& solution, const FileTexts& tests, const FileTexts& include, const std::string& split,
                    const std::string& coverage) {
  return Evaluated({.stack = stack,
                    .solution = solution,
                    .tests = tests,
                    .include = include,
                    .params = {{"case_timeout", "3"}, {"coverage", coverage}, {"split", split}}});
}

std::size_t CheckedCheats(const json& answer, const std::string& honest) {
  std::size_t cheats = 0;
  for (const json& suite : answer["result"]["test"]["testsuite"]["suites"]) {
    for (const json& test : suite["cases"]) {
      const std::string name = test["name"], status = test["status"];
      INFO(name << " " << test["message"]);
      const bool is_honest = name.rfind(honest, 0) == 0;
      CHECK((is_honest ? status == "passed" : status == "failure" || status == "error" || status == "timeout"));
      cheats += is_honest ? 0 : 1;
    }
  }
  return cheats;
}

void CheckLongOutput(const json& answer, const std::string& id) {
  INFO(id);
  CHECK(StatusOf(answer, id) == "passed");
  const std::string out = CaseOf(answer, id).value("stdout", std::string());
  const std::uint64_t characters = CharactersOf(out).count;
  CHECK((characters > 65500 && characters < 65600));
  CHECK(out.size() > 2 * 65000);
  CHECK(out.find(" more", out.size() - 40) != std::string::npos);
}

std::string Tally(const json& answer) {
  if (!answer.value("success", false)) return "failure: " + answer.value("message", "");
  const json& test = answer["result"]["test"];
  if (test.is_null()) return "no tests";
  const json& stats = test["stats"];
  return fmt::format("passed {}, failed {}: failures {}, errors {}, pending {}, timeouts {}; correctness {:.3g}",
                     test["passed"].get<int>(), test["failed"].get<int>(), stats["failures"].get<int>(), stats["errors"].get<int>(),
                     stats["pending"].get<int>(), stats["timeouts"].get<int>(), test["correctness"].get<double>());
}

json CaseOf(const json& answer, const std::string& id) {
  if (!answer["result"].is_object() || !answer["result"]["test"].is_object()) return {};
  for (const json& suite : answer["result"]["test"]["testsuite"]["suites"]) {
    for (const json& test : suite["cases"]) {
      if (test["id"] == id) return test;
    }
  }
  return {};
}

std::string StatusOf(const json& answer, const std::string& id) {
  const json test = CaseOf(answer, id);
  if (test.is_null()) return "no such case";
  if (test["message"].is_null()) return test["status"];
  return fmt::format("{}: {}", test["status"].get<std::string>(), test["message"].get<std::string>());
}

}  // namespace tally
