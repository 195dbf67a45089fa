// Evaluations by stacks of our own making: what becomes of one whose tools are absent, fail or flood.
#include "evaluation/framework_evaluation.h"

#include <nlohmann/json.hpp>
#include <string>

#include "evaluation/schema.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

constexpr const char* kHead = "title: T\nversion: 1.0.0\nextensions: [c]\n";
constexpr const char* kCompile = "compile:\n  tools: [sh]\n  package: dash\n  commands: [[\"{sh}\", -c, echo compiled]]\n";
constexpr const char* kTests = "tests:\n  tools: [sh]\n  package: dash\n  run: [\"{sh}\", -c, echo]\n";

std::string Style(const std::string& format, const std::string& script) {
  return "style:\n  - name: checker\n    tools: [sh]\n    package: dash\n    version: [\"{sh}\", -c, echo 1]\n    format: " + format +
         "\n    command: [\"{sh}\", -c, '" + script + "']\n";
}

EvalResult Result(const std::string& stack, bool test = false) {
  EvalRequest request;
  request.solution_files = {{"a.c", ""}};
  request.test_files = {{"t.c", ""}};
  request.compile = request.style = true;
  request.test = test;
  return EvaluateByFramework(request, ReadStackSpec(YamlMap::FromText(stack, "s.yaml"), "s"), {}, [](std::string_view) {});
}

TEST_CASE("who floods stderr has exceeded the limit as on stdout, and of neither more is read than is allowed") {
  for (const std::string stream : {"1", "2"}) {
    INFO(stream);
    const EvalResult result = Result(std::string(kHead) + kCompile +
                                     "tests:\n  cases: test_files\n  run: [\"{sh}\", -c, head -c 9000000 /dev/zero >&" + stream + "]\n", true);
    REQUIRE(result.test);
    REQUIRE(result.test->Count() == 1);
    const TestCase& test = result.test->suites[0].cases[0];
    CHECK(test.status == CaseStatus::kError);
    CHECK(test.message == std::string("output limit exceeded: more than 8.0 MiB") + (stream == "2" ? " on stderr" : ""));
    CHECK((stream == "2" ? test.err : test.out) == std::string(65536, '\0') + "\n[8,323,072 more characters]\n");
  }
  const std::string flood = "compile:\n  tools: [sh]\n  package: dash\n  commands: [[\"{sh}\", -c, head -c 20000000 /dev/zero >&2]]\n";
  const EvalResult result = Result(kHead + flood);
  CHECK(!result.compilation->compiling);
  CHECK(result.compilation->output.size() < 66000);
}

TEST_CASE("style: of many errors the first 1000 are reported, and all are counted") {
  const EvalResult result = Result(std::string(kHead) + kCompile +
                                   Style("lines", "i=0; while [ $i -lt 2500 ]; do i=$((i+1)); echo /box/solution/a.c:$i:1: E1 bad; done"));
  REQUIRE(result.style);
  CHECK(result.style->count == 2500);
  REQUIRE(result.style->errors.size() == 1000);
  CHECK(result.style->errors.back().line == 1000);
}

TEST_CASE("style: an error's message is cut where a line would be enough") {
  const EvalResult result = Result(std::string(kHead) + kCompile +
                                   Style("lines", "echo /box/solution/a.c:1:1: E1 $(head -c 100000 /dev/zero | tr \"\\000\" x)"));
  REQUIRE(result.style);
  CHECK(result.style->errors[0].message.size() < 1100);
}

TEST_CASE("style: a tool that floods, crashes or gives no report makes the style absent, and the rest goes on") {
  const auto absent = [](const std::string& format, const std::string& script) {
    const EvalResult result = Result(std::string(kHead) + kCompile + Style(format, script));
    CHECK(!result.style);
    CHECK((result.compilation && result.compilation->compiling));
    REQUIRE(result.absent.size() == 1);
    return result.absent.at("style");
  };
  CHECK(absent("lines", "head -c 20000000 /dev/zero") == "checker: output limit exceeded: more than 16.0 MiB");
  CHECK(absent("lines", "kill -9 $$").find("checker: it ") == 0);
  CHECK(absent("cppcheck", "echo nothing").find("checker: cppcheck's report cannot be read: ") == 0);
}

TEST_CASE("an absent compiler makes compiling and testing absent, each with what to install, and style goes on") {
  const std::string compile = "compile:\n  tools: [no-such-compiler]\n  package: nowhere\n  commands: [[\"{no-such-compiler}\"]]\n";
  const EvalResult result = Result(kHead + compile + kTests + Style("lines", "true"), true);
  const std::string why = "no-such-compiler is not installed (package nowhere)";
  CHECK(result.absent == Absent{{"compile", why}, {"test", why}});
  CHECK(!result.compilation);
  CHECK(!result.test);
  CHECK(result.style);
}

// ---- an answer that cannot be misread

struct Solution {
  const char* name;
  std::string compile, tests;  // shell
  bool compiles = true, builds = true;
};

std::string Command(const std::string& script) { return "[[\"{sh}\", -c, " + script + "]]\n"; }

// What was asked for is there or has a reason, what was not has neither, and the whole keeps the contract.
TEST_CASE("whatever was asked for and is null has a reason: eight capabilities by solutions that compile, do not, hang, and hang in their tests") {
  const Solution solutions[] = {{"right", "echo compiled", "cat /dev/null"},
                                {"broken", "exit 1", "cat /dev/null", false},
                                {"crashes the compiler", "kill -11 $$", "cat /dev/null", false},
                                {"hangs the compiler", "sleep 60", "cat /dev/null", false},
                                {"does not fit the tests", "echo compiled", "cat /dev/null", true, false},
                                {"hangs", "echo compiled", "sleep 60"}};
  EvaluationSettings settings;
  settings.compile_timeout = settings.test_timeout = Milliseconds(300);
  for (const Solution& solution : solutions) {
    const std::string stack = std::string(kHead) + "compile:\n  tools: [sh]\n  package: dash\n  commands: " + Command(solution.compile) +
                              "tests:\n  tools: [sh]\n  package: dash\n  cases: test_files\n  build: " + Command(solution.builds ? "true" : "echo no such function; exit 1") +
                              "  run: [\"{sh}\", -c, " + solution.tests + "]\n" + Style("lines", "true");
    for (unsigned asked = 0; asked < 8; ++asked) {
      EvalRequest request;
      request.solution_files = {{"a.c", ""}};
      request.test_files = {{"t.c", ""}};
      request.compile = (asked & 1) != 0;
      request.test = (asked & 2) != 0;
      request.style = (asked & 4) != 0;
      CAPTURE(solution.name, request.compile, request.test, request.style);
      const EvalResult result = EvaluateByFramework(request, ReadStackSpec(YamlMap::FromText(stack, "s.yaml"), "s"), settings, [](std::string_view) {});
      CHECK(result.compilation.has_value() == request.compile);
      if (result.compilation) CHECK(result.compilation->compiling == solution.compiles);
      CHECK(result.style.has_value() == request.style);
      CHECK(result.test.has_value() == (request.test && solution.compiles));
      if (result.test) CHECK(result.test->Count(CaseStatus::kPassed) + result.test->Count(CaseStatus::kPending) == 0);  // none of these tests says that it passed
      CHECK(result.absent == (request.test && !solution.compiles ? Absent{{"test", std::string(kDoesNotCompile)}} : Absent()));
      CHECK(FaultBySchema(Schema::kEvalResponse, nlohmann::json::parse(SuccessJson(result, settings))) == "");
    }
  }
}

TEST_CASE("tests that do not build with a solution are an error of the tests, with the compiler's words, and none of its compilation") {
  const EvalResult result = Result(kHead + std::string(kCompile) + "tests:\n  tools: [sh]\n  package: dash\n  build: " + Command("echo no such function; exit 1") + "  run: [\"{sh}\", -c, echo]\n", true);
  CHECK(result.compilation->compiling);
  REQUIRE(result.test);
  CHECK(result.test->output == "no such function\n");
  REQUIRE(result.test->Count() == 1);
  const TestCase& test = result.test->suites[0].cases[0];
  CHECK(test.status == CaseStatus::kError);
  CHECK(test.message == "the tests do not build with the solution");
  CHECK(test.details == "no such function\n");
}

}  // namespace
}  // namespace tally
