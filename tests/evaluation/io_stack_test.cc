// The stack of inputs and answers: a right, a wrong, a hanging, a crashing, a non-compiling, an output-flooding and a
// cheating solution, with the exact answer.
#include <string>

#include "tests/support/catch.h"
#include "tests/support/evaluated.h"

namespace tally {
namespace {

const FileTexts kTests = {{"in/1.in", "1 2\n"}, {"out/1.out", "3\n"}, {"in/2.in", "20 22\n"}, {"out/2.out", "42\n"},
                          {"tally.yml", "time_limit: 1s\nmemory_limit: 64M\n"}};

nlohmann::json Sum(const std::string& body, const std::string& path = "sum.c") {
  return Evaluated({.stack = "io", .solution = {{path, body}}, .tests = kTests});
}

std::string Program(const std::string& body) {
  return "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\nint main(void) {\n  int a, b;\n  scanf(\"%d %d\", &a, &b);\n" + body + "}\n";
}

TEST_CASE("io: a right solution passes all its tests") {
  const nlohmann::json answer = Sum(Program("printf(\"%d\\n\", a + b);"));
  CHECK(answer["result"]["compilation"]["compiling"] == true);
  CHECK(Tally(answer) == "passed 2, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
  CHECK(StatusOf(answer, "1") == "passed");
  CHECK(answer["result"]["test"]["leaks"].is_null());
  CHECK(answer["result"]["test"]["isolation"] == "separate-processes");
  CHECK(answer["result"]["test"]["coverage"].is_null());
  CHECK(answer["result"]["style"].is_null());
}

TEST_CASE("io: a wrong solution fails the test that shows it, and the compare's words are the message") {
  const nlohmann::json answer = Sum(Program("printf(\"%d\\n\", a + b > 9 ? 9 : a + b);"));
  CHECK(Tally(answer) == "passed 1, failed 1: failures 1, errors 0, pending 0, timeouts 0; correctness 0.5");
  CHECK(StatusOf(answer, "2") == "failure: WA: WRONG: line 1: expected \"42\", got \"9\"");
}

TEST_CASE("io: a hanging solution is cut off, and the next test runs") {
  const nlohmann::json answer = Sum(Program("while (a == 1) {}\nprintf(\"%d\\n\", a + b);"));
  CHECK(Tally(answer) == "passed 1, failed 1: failures 0, errors 0, pending 0, timeouts 1; correctness 0.5");
  CHECK(StatusOf(answer, "1").find("timeout: TLE: time limit exceeded") == 0);
  CHECK(StatusOf(answer, "2") == "passed");
}

TEST_CASE("io: a crashing solution is an error of its test") {
  const nlohmann::json answer = Sum(Program("if (a == 1) abort();\nprintf(\"%d\\n\", a + b);"));
  CHECK(Tally(answer) == "passed 1, failed 1: failures 0, errors 1, pending 0, timeouts 0; correctness 0.5");
  CHECK(StatusOf(answer, "1").find("error: RE: ") == 0);
}

TEST_CASE("io: a solution that does not compile has the compiler's words and no tests") {
  const nlohmann::json answer = Sum("int main(void) { return x; }\n");
  CHECK(answer["success"] == true);
  CHECK(answer["result"]["compilation"]["compiling"] == false);
  CHECK(answer["result"]["compilation"]["output"].get<std::string>().find("undeclared") != std::string::npos);
  CHECK(answer["result"]["test"].is_null());
}

TEST_CASE("io: a solution that floods its output is an error, and the answer stays small") {
  const nlohmann::json answer = Sum(Program("for (;;) puts(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\");"));
  CHECK(Tally(answer) == "passed 0, failed 2: failures 0, errors 2, pending 0, timeouts 0; correctness 0");
  CHECK(StatusOf(answer, "1").find("error: OLE: ") == 0);
  CHECK(answer.dump().size() < 10'000);
}

TEST_CASE("io: a solution finds neither the tests' answers nor a report to write into") {
  const nlohmann::json answer = Sum(Program(
      "for (const char** p = (const char*[]){\"/box/tests/out/1.out\", \"/box/out/1.out\", \"out/1.out\", \"1.out\", 0}; *p; ++p) {\n"
      "  FILE* f = fopen(*p, \"r\");\n  if (f) { int c; while ((c = fgetc(f)) != EOF) putchar(c); return 0; }\n}\n"
      "puts(\"<testsuite><testcase name='1'/></testsuite>\");\nfor (int fd = 3; fd < 100; ++fd) dprintf(fd, \"3\\n\");\n_exit(0);"));
  CHECK(Tally(answer) == "passed 0, failed 2: failures 2, errors 0, pending 0, timeouts 0; correctness 0");
}

TEST_CASE("io: the language follows the file, and files lie beside it") {
  CHECK(Tally(Sum("a, b = map(int, input().split())\nprint(a + b)\n", "sum.py")).find("passed 2") == 0);
  const nlohmann::json two = Evaluated({.stack = "io",
                                        .solution = {{"main.c", Program("extern int sum(int, int); printf(\"%d\\n\", sum(a, b));")},
                                                     {"sum.c", "#include \"offset.h\"\nint sum(int a, int b) { return a + b + OFFSET; }\n"}},
                                        .tests = kTests,
                                        .include = {{"offset.h", "#define OFFSET 0\n"}}});
  CHECK(Tally(two).find("passed 2") == 0);
}

TEST_CASE("io: of several sources the one that is called main begins the program, in whatever place it stands; else the first does") {
  const std::string sum = "def total(line):\n    return sum(map(int, line.split()))\n", start = "from helper import total\nprint(total(input()))\n";
  CHECK(Tally(Evaluated({.stack = "io", .solution = {{"helper.py", sum}, {"main.py", start}}, .tests = kTests})).find("passed 2") == 0);
  CHECK(Tally(Evaluated({.stack = "io", .solution = {{"start.py", start}, {"helper.py", sum}}, .tests = kTests})).find("passed 2") == 0);
}

TEST_CASE("io: params.compiler says the language of a file whose ending does not") {
  const auto sum = [](const FileTexts& solution, const std::string& compiler) {
    return Tally(Evaluated({.stack = "io", .solution = solution, .tests = kTests, .params = {{"compiler", compiler}}}));
  };
  CHECK(sum({{"sum.student", Program("printf(\"%d\\n\", a + b);")}}, "c17").find("passed 2") == 0);
  CHECK(sum({{"sum", "print(sum(map(int, input().split())))\n"}}, "python3").find("passed 2") == 0);
  CHECK(sum({{"sum.student", "x"}}, "").find("failure: solution_files: found no source of a known language") == 0);
}

TEST_CASE("io: limits are the package's, or the request's") {
  const std::string busy = Program("for (volatile long i = 0; i < 2000000000L; ++i) {}\nprintf(\"%d\\n\", a + b);");
  const nlohmann::json answer = Evaluated({.stack = "io", .solution = {{"sum.c", busy}}, .tests = kTests, .params = {{"time_limit", "50ms"}}});
  CHECK(Tally(answer).find("timeouts 2") != std::string::npos);
  CHECK(Tally(Evaluated({.stack = "io", .solution = {{"a.c", busy}}, .tests = kTests, .params = {{"memory_limit", "4G"}}})) ==
        "failure: params.memory_limit: found 4.0 GiB; this worker has 512 MiB at most");
}

std::string WithLimits(const std::string& yaml, const EvaluationSettings& settings = {}) {
  FileTexts tests = kTests;
  tests.back().second = yaml;
  return Tally(Evaluated({.stack = "io", .solution = {{"sum.c", Program("for (;;) {}")}}, .tests = tests}, settings));
}

TEST_CASE("io: a package asks for no more than the worker has") {
  CHECK(WithLimits("memory_limit: 2G\n") == "failure: tests/tally.yml: memory_limit: found 2.0 GiB; this worker has 512 MiB at most");
  CHECK(WithLimits("output_limit: 1T\n") == "failure: tests/tally.yml: output_limit: found 1.0 TiB; this worker has 256 MiB at most");
  CHECK(WithLimits("processes: 1000\n") == "failure: tests/tally.yml: processes: found 1000; this worker has 64 at most");
  CHECK(WithLimits("interactor: in/1.in\n") == "failure: tests: an interactive problem; a worker evaluates none");
  EvaluationSettings settings;
  settings.memory_limit = Bytes::MiB(16);
  const nlohmann::json answer = Evaluated({.stack = "io",
                                           .solution = {{"sum.c", Program("volatile char* p = malloc(100 << 20);\nfor (int i = 0; i < 100 << 20; i += 4096) p[i] = 1;")}},
                                           .tests = {kTests.begin(), kTests.end() - 1}},
                                          settings);
  CHECK(StatusOf(answer, "1").find("error: MLE: ") == 0);
}

TEST_CASE("io: all tests have the worker's time for tests, whatever the package gives each; the one that runs then is cut off") {
  EvaluationSettings settings;
  settings.test_timeout = Milliseconds(300);
  CHECK(WithLimits("time_limit: 1h\n", settings) == "passed 0, failed 2: failures 0, errors 0, pending 0, timeouts 2; correctness 0");
}

TEST_CASE("io: compiling has the worker's time") {
  EvaluationSettings settings;
  settings.compile_timeout = Milliseconds(10);
  const nlohmann::json answer = Evaluated({.stack = "io", .solution = {{"sum.cpp", "#include <regex>\nint main() { std::regex r(\"a\"); }\n"}}, .tests = kTests}, settings);
  CHECK(answer["result"]["compilation"]["compiling"] == false);
  CHECK(answer["result"]["compilation"]["output"].get<std::string>().find("limit exceeded") != std::string::npos);
}

TEST_CASE("io: a checker is a file of the request, and what else this machine has is not told") {
  for (const std::string path : {"/etc/passwd", "/no/such/file", "../solution/sum.c", "x/../../out"}) {
    CHECK(WithLimits("checker: " + path + "\n") == "failure: tests/tally.yml:1:10: checker: found " + path + "; expected a file of the package");
  }
}

TEST_CASE("io: nothing that was not asked for is done") {
  const nlohmann::json answer = Evaluated({.stack = "io", .solution = {{"sum.c", "no C"}}, .compile = false, .test = false, .style = true});
  CHECK(answer["success"] == true);
  for (const char* part : {"compilation", "test", "style"}) CHECK(answer["result"][part].is_null());
  CHECK(answer["result"]["absent"] == nlohmann::json{{"style", "this stack has none"}});
}

TEST_CASE("io: whatever was asked for and is null has a reason") {
  for (const bool compiles : {true, false}) {
    for (unsigned asked = 0; asked < 8; ++asked) {
      const bool compile = (asked & 1) != 0, test = (asked & 2) != 0, style = (asked & 4) != 0;
      CAPTURE(compiles, compile, test, style);
      const nlohmann::json answer = Evaluated({.stack = "io", .solution = {{"sum.c", compiles ? Program("printf(\"%d\\n\", a + b);") : "no C"}}, .tests = kTests, .compile = compile, .test = test, .style = style});
      const nlohmann::json& result = answer["result"];
      nlohmann::json absent = nlohmann::json::object();
      if (style) absent["style"] = "this stack has none";
      if (test && !compiles) absent["test"] = "the solution does not compile";
      CHECK(result.value("absent", nlohmann::json::object()) == absent);
      CHECK(result["compilation"].is_null() == !compile);
      CHECK(result["test"].is_null() == !(test && compiles));
    }
  }
}

TEST_CASE("io: a request without tests, or without a source, is told so") {
  CHECK(Tally(Evaluated({.stack = "io", .solution = {{"sum.c", Program("")}}})).find("failure: ") == 0);
  CHECK(Tally(Evaluated({.stack = "io", .solution = {{"sum.txt", "x"}}, .tests = kTests})) ==
        "failure: solution_files: found no source of a known language; expected one, like \"sum.cpp\" or \"sum.py\"");
}

TEST_CASE("io: a mistake in the package's limits is told with the name that the request gave the file") {
  FileTexts tests = kTests;
  tests.back().second = "time: 1s\n";
  CHECK(Tally(Evaluated({.stack = "io", .solution = {{"sum.c", Program("")}}, .tests = tests})).find(
            "failure: tests/tally.yml:1:1: time: unknown key") == 0);
}

}  // namespace
}  // namespace tally
