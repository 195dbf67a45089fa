// What is made of answers, whoever wrote them.
#include "evaluation/answer_text.h"

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"

namespace tally {
namespace {

using nlohmann::json;

json Evaluation(const json& compilation, const json& test) {
  return {{"success", true},
          {"message", nullptr},
          {"result", {{"compilation", compilation}, {"test", test}, {"style", nullptr}}}};
}

AnswerVerdict VerdictOfEvaluation(const json& answer) { return VerdictOf(AnswerKind::kEvaluation, answer.dump()); }
AnswerVerdict VerdictOfJob(const char* code) { return VerdictOf(AnswerKind::kJob, json{{"result_code", code}}.dump()); }

TEST_CASE("verdict: all that was asked for is well, or it is wrong", "[submit]") {
  const json compiles{{"compiling", true}, {"output", ""}}, broken{{"compiling", false}, {"output", "x"}};
  const json passed{{"testcases", 2}, {"passed", 2}, {"failed", 0}},
      failed{{"testcases", 2}, {"passed", 1}, {"failed", 1}};
  const json none{{"testcases", 0}, {"passed", 0}, {"failed", 0}};
  CHECK(VerdictOfEvaluation(Evaluation(compiles, passed)) == AnswerVerdict::kRight);
  CHECK(VerdictOfEvaluation(Evaluation(compiles, nullptr)) == AnswerVerdict::kRight);
  CHECK(VerdictOfEvaluation(Evaluation(nullptr, passed)) == AnswerVerdict::kRight);
  CHECK(VerdictOfEvaluation(Evaluation(compiles, failed)) == AnswerVerdict::kWrong);
  CHECK(VerdictOfEvaluation(Evaluation(compiles, none)) == AnswerVerdict::kWrong);
  CHECK(VerdictOfEvaluation(Evaluation(broken, nullptr)) == AnswerVerdict::kWrong);
}

TEST_CASE("verdict: what is no evaluation has failed", "[submit]") {
  for (const char* text : {"", "no JSON", "[]", "5", "{}", R"({"success": false, "message": "x", "result": null})",
                           R"({"success": true, "result": null})", R"({"success": "yes", "result": {}})"}) {
    CAPTURE(text);
    CHECK(VerdictOf(AnswerKind::kEvaluation, text) == AnswerVerdict::kFailed);
  }
}

TEST_CASE("verdict: where tools for compiling or testing are absent nothing is right; absent style does not matter", "[submit]") {
  json answer = Evaluation({{"compiling", true}, {"output", ""}}, nullptr);
  answer["result"]["absent"] = {{"style", "flake8 is not installed (package flake8)"}};
  CHECK(VerdictOfEvaluation(answer) == AnswerVerdict::kRight);
  answer["result"]["absent"]["test"] = "pytest is not installed (package python3-pytest)";
  CHECK(VerdictOfEvaluation(answer) == AnswerVerdict::kFailed);
  answer["result"]["absent"] = {"of another worker's kind"};
  CHECK(VerdictOfEvaluation(answer) == AnswerVerdict::kFailed);
}

TEST_CASE("verdict: a solution that does not compile is wrong though its tests alone were asked for, and nothing shown is not right", "[submit]") {
  json answer = Evaluation(nullptr, nullptr);
  CHECK(VerdictOfEvaluation(answer) == AnswerVerdict::kFailed);
  CHECK(AnswerText(answer.dump(), false) == "no result    nothing was asked for, or nothing could be had\n");
  answer["result"]["absent"] = {{"test", "the solution does not compile"}};
  CHECK(VerdictOfEvaluation(answer) == AnswerVerdict::kWrong);
  CHECK(AnswerText(answer.dump(), false) == "absent       test: the solution does not compile\n");
  answer = Evaluation(nullptr, nullptr);
  answer["result"]["style"] = {{"errors", 0}, {"report", json::object()}};
  CHECK(VerdictOfEvaluation(answer) == AnswerVerdict::kRight);
}

TEST_CASE("verdict: a job is right by its result code, and SE is a failure", "[submit]") {
  CHECK(VerdictOfJob("OK") == AnswerVerdict::kRight);
  CHECK(VerdictOfJob("WA") == AnswerVerdict::kWrong);
  CHECK(VerdictOfJob("CE") == AnswerVerdict::kWrong);
  CHECK(VerdictOfJob("SE") == AnswerVerdict::kFailed);
  CHECK(VerdictOf(AnswerKind::kJob, R"({"pong": "pong"})") == AnswerVerdict::kRight);  // of a ping
  CHECK(VerdictOf(AnswerKind::kJob, "{}") == AnswerVerdict::kFailed);
}

TEST_CASE("answer for people: compilation, cases in a table, coverage, style, what is absent", "[submit]") {
  const json answer = json::parse(R"({
    "success": true, "message": null,
    "result": {
      "compilation": {"compiling": true, "output": "a.cpp:1: warning\n"},
      "test": {
        "testcases": 3, "passed": 1, "failed": 2, "leaks": 4,
        "output": "said Cases: \nCases: none\nCases: 1 of 3 passed\npassed   adds#Sum\n",
        "testsuite": {"suites": [{"name": "s", "cases": [
          {"id": "adds#Sum", "name": "adds", "status": "passed", "message": null, "time": 0.5},
          {"id": "hangs", "name": "hangs", "status": "timeout", "message": "cut off after 2 s", "time": 2},
          {"id": "wrong", "name": "wrong", "status": "failure", "message": "expected 3\nand more", "time": null}]}]},
        "coverage": {"tool": "gcov", "lines": {"covered": 9, "total": 10}, "branches": {"covered": 1, "total": 2}, "files": []}
      },
      "style": {"errors": 1, "report": {"tool": "cppcheck", "version": "2.10", "errors": [
        {"file": "a.cpp", "line": 3, "column": 1, "severity": "error", "message": "bad", "rule": "r"}]}},
      "absent": {"style": "no tool"}
    }})");
  CHECK(AnswerText(answer.dump(), false) ==
        "compilation  ok\n"
        "  a.cpp:1: warning\n"
        "tests        1 of 3 passed\n"
        "  adds#Sum  passed      0.50 s  \n"
        "  hangs     timeout     2.00 s  cut off after 2 s\n"
        "  wrong     failure          -  expected 3\n"
        "  said Cases: \n"
        "  Cases: none\n"
        "leaks        4\n"
        "coverage     lines 90 % (9 of 10), branches 50 % (1 of 2)\n"
        "style        1 remark (cppcheck 2.10)\n"
        "  a.cpp:3: bad\n"
        "absent       style: no tool\n");
}

TEST_CASE("answer for people: a failed evaluation is its message", "[submit]") {
  CHECK(AnswerText(R"({"success": false, "message": "params.x: expected a text", "result": null})", false) ==
        "no result    params.x: expected a text\n");
}

TEST_CASE("answer for people: nothing that a solution said reaches the terminal but text", "[submit]") {
  const json answer{{"success", true},
                    {"result", {{"compilation", {{"compiling", false}, {"output", "\x1b[2Jgone\rx"}}}}}};
  CHECK(AnswerText(answer.dump(), false) == "compilation  failed\n  \\x1b[2Jgone\\x0dx\n");
  CHECK(AnswerText("no JSON \x1b[2J", false) == "no JSON \\x1b[2J\n");
}

TEST_CASE("answer for people: parts of unexpected types are as if they were absent", "[submit]") {
  const json answer{
      {"success", true},
      {"result",
       {{"compilation", "yes"},
        {"test", {{"testcases", -1}, {"testsuite", {{"suites", {1, "x", {{"cases", {2}}}}}}}, {"coverage", 5}}},
        {"style", {{"report", nullptr}}},
        {"absent", "x"}}}};
  CHECK_NOTHROW(AnswerText(answer.dump(), true));
}

}  // namespace
}  // namespace tally
