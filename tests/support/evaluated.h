// One evaluation, as a client sees it: a request as JSON in, the answer as JSON out. Every answer is held to the
// contract's schema (docs/schemas/eval-response.json) on the way.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "evaluation/evaluation_settings.h"

namespace tally {

using FileTexts = std::vector<std::pair<std::string, std::string>>;  // path, content

struct EvalCall {
  std::string stack;
  FileTexts solution, tests, include;
  std::vector<std::pair<std::string, std::string>> params;
  bool compile = true, test = true, style = false;
};

nlohmann::json Evaluated(const EvalCall& call, const EvaluationSettings& settings = {});
nlohmann::json EvaluatedText(const std::string& body, const EvaluationSettings& settings = {});

// With params.split: tests and solution are two processes, or not.
nlohmann::json EvaluatedSplit(const std::string& stack, const FileTexts& solution, const FileTexts& tests, const FileTexts& include = {},
                              const std::string& split = "true", const std::string& coverage = "no");
constexpr const char* kSolutionEnded = "error: the solution's process ended before its test did";
constexpr const char* kSolutionSaidNoAnswer = "error: the solution's process said what is no answer (";
// Checks that cases passed whose names begin so, and no others. How many others there are.
std::size_t CheckedCheats(const nlohmann::json& answer, const std::string& honest);

// The case passed, and of the 100,000 letters "ż" that its solution printed there are as many as an answer shows: characters, not bytes.
void CheckLongOutput(const nlohmann::json& answer, const std::string& id);

// "passed 3, failed 1: failures 1, errors 0, pending 0, timeouts 0; correctness 0.75", or why there is nothing to tell.
std::string Tally(const nlohmann::json& answer);
// The case of this id; null when there is none.
nlohmann::json CaseOf(const nlohmann::json& answer, const std::string& id);
// "passed", or "failure: MESSAGE".
std::string StatusOf(const nlohmann::json& answer, const std::string& id);

}  // namespace tally
