// Evaluations by stacks of our own making: what becomes of one whose tools are absent, fail or flood.
#include "evaluation/framework_evaluation.h"

#include <string>

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
                                     "tests:\n  cases: test_files\n  run: [\"{sh}\", -c, head -c 200000 /dev/zero >&" + stream + "]\n", true);
    REQUIRE(result.test);
    REQUIRE(result.test->Count() == 1);
    const TestCase& test = result.test->suites[0].cases[0];
    CHECK(test.status == CaseStatus::kError);
    CHECK(test.message == std::string("output limit exceeded: more than 65536 bytes") + (stream == "2" ? " on stderr" : ""));
    CHECK((stream == "2" ? test.err : test.out)->size() == 65536);
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
    return result.absent[0];
  };
  CHECK(absent("lines", "head -c 20000000 /dev/zero") == "style: checker: output limit exceeded: more than 16777216 bytes");
  CHECK(absent("lines", "kill -9 $$").find("style: checker: it ") == 0);
  CHECK(absent("cppcheck", "echo nothing").find("style: checker: cppcheck's report cannot be read: ") == 0);
}

TEST_CASE("an absent compiler makes compiling and testing absent, each with what to install, and style goes on") {
  const std::string compile = "compile:\n  tools: [no-such-compiler]\n  package: nowhere\n  commands: [[\"{no-such-compiler}\"]]\n";
  const EvalResult result = Result(kHead + compile + kTests + Style("lines", "true"), true);
  CHECK(result.absent == std::vector<std::string>{"compile: no-such-compiler is not installed (package nowhere)",
                                                  "test: no-such-compiler is not installed (package nowhere)"});
  CHECK(!result.compilation);
  CHECK(!result.test);
  CHECK(result.style);
}

}  // namespace
}  // namespace tally
