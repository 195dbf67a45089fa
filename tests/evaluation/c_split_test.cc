// The stacks of C with params.split: tests and solution are two processes. What an honest solution may be made of, what a dishonest one may
// try, and how either ends. The cheats against a process that both share are run so, too.
#include <regex>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/evaluated.h"
#include "tests/support/file_text.h"

namespace tally {
namespace {

using nlohmann::json;

std::string Text(const std::string& file) { return FileText("evaluation/stacks/c_split/" + file); }

TEST_CASE("C, split: numbers, structs, arrays, texts, lists, functions of the tests, variables and output are as they are in one process") {
  for (const std::string split : {"true", "false"}) {
    const json answer = EvaluatedSplit("check", {{"shop.c", Text("shop.c")}}, {{"shop_test.c", Text("shop_test.c")}}, {{"shop.h", Text("shop.h")}}, split);
    INFO(answer.dump(1));
    CHECK(answer["result"]["test"]["isolation"] == (split == "true" ? "separate-processes" : "shared-process"));
    CHECK(Tally(answer) == "passed 10, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
  }
}

TEST_CASE("C, split: no cheat passes, and each costs its own case only") {
  const json answer = EvaluatedSplit("check", {{"cheats.c", Text("cheats.c")}}, {{"cheats_test.c", Text("cheats_test.c")}}, {{"cheats.h", Text("cheats.h")}});
  REQUIRE(answer["result"]["compilation"]["compiling"] == true);
  CHECK(CheckedCheats(answer, "honest") == 56);
  const auto status = [&](const std::string& name) { return StatusOf(answer, name + "#Cheats"); };
  CHECK(status("test_crashes") == std::string(kSolutionEnded) + ": process exited due to signal 11 (SIGSEGV) (RE)");
  CHECK(status("test_exits") == std::string(kSolutionEnded) + " (exit status 0)");
  CHECK(status("test_hangs") == "timeout: cut off after 3 s");
  CHECK(status("test_floods") == "error: output limit exceeded");
  CHECK(status("test_what_was") == std::string(kSolutionSaidNoAnswer) + "a pointer to what is not there any more)");
  CHECK(status("test_another_function") == std::string(kSolutionSaidNoAnswer) + "a function that was not given)");
  CHECK(status("test_bytes_as_a_link") == std::string(kSolutionSaidNoAnswer) + "a pointer to something else)");
  CHECK(status("test_no_link") == std::string(kSolutionSaidNoAnswer) + "an object that is not there)");
}

TEST_CASE("C, split: none of the cheats against one process passes") {
  const std::string header = FileText("evaluation/stacks/cheats.h"), cheats = FileText("evaluation/stacks/cheats.c");
  const json check = EvaluatedSplit("check", {{"cheats.c", cheats}}, {{"cheats_test.c", FileText("evaluation/stacks/cheats_test.c")}}, {{"cheats.h", header}});
  FileTexts tests;
  const std::regex cheat(R"(CHEAT\((\w+)\))");
  for (auto name = std::sregex_iterator(header.begin(), header.end(), cheat); name != std::sregex_iterator(); ++name) {
    const std::string call = (*name)[1];
    tests.push_back({"test_" + call + ".c", "#include <assert.h>\n#include \"cheats.h\"\nint main(void) {\n  assert(" + call + "() == 42);\n  return 0;\n}\n"});
  }
  const json assert_ = EvaluatedSplit("c-assert", {{"cheats.c", std::regex_replace(cheats, std::regex("void __assert_fail.void. ..\n"), "")}}, tests, {{"cheats.h", header}});
  for (const json& answer : {check, assert_}) {
    CHECK(answer["result"]["test"]["testcases"] == 30);
    for (const json& suite : answer["result"]["test"]["testsuite"]["suites"]) {
      for (const json& test : suite["cases"]) {
        const std::string name = test["name"];
        INFO(name << " " << test["message"]);
        // It gives 42 where it does not find the tests.
        CHECK((test["status"] != "passed" || name == "test_loads_the_tests_again"));
      }
    }
  }
}

TEST_CASE("C, split: what cannot cross is one sentence, and tests that use a name of the C library's that the solution defines are not built") {
  const std::string header = R"(#include <stdio.h>
union either { int n; char *text; };
struct holder { union either either; };
int total(int count, ...);
long double longer(long double x);
int first(const int *numbers);
int held(struct holder *holder);
typedef int op(int);
op *chosen(int which);
int absent(void);
int print_to(FILE *file);
)";
  const std::string solution = R"(#include "it.h"
int total(int count, ...) { return count; }
long double longer(long double x) { return 2 * x; }
int first(const int *numbers) { return numbers[0]; }
int held(struct holder *holder) { return holder->either.n; }
static int twice(int n) { return 2 * n; }
op *chosen(int which) { return which ? twice : 0; }
int absent(void) { return 1; }
int print_to(FILE *file) { return fputs("x", file); }
)";
  const auto test = [](const std::string& text) { return "#include <assert.h>\n#include <stdlib.h>\n#include \"it.h\"\nint main(void) {\n  " + text + "\n  return 0;\n}\n"; };
  const json answer = EvaluatedSplit("c-assert", {{"it.c", solution}},
                            {{"a.c", test("assert(total(2, 1, 1) == 2);")},
                             {"b.c", test("assert(longer(1) == 2);")},
                             {"c.c", test("int n = rand() % 2 + 3, all[n]; all[0] = 1; assert(first(all) == 1);")},
                             {"d.c", test("struct holder one = {{1}}; assert(held(&one) == 1);")},
                             {"e.c", test("assert(chosen(1)(2) == 4);")},
                             {"f.c", test("assert(chosen(0) == NULL);")},
                             {"g.c", test("assert(absent() == 1);")},
                             {"h.c", test("assert(print_to(stdout) > 0);")},
                             {"i.c", test("assert(first((int[]){1, 2}) == 1);")}},
                            {{"it.h", header}});
  INFO(answer.dump(1));
  CHECK(StatusOf(answer, "a") == "error: with params.split total cannot be called: it takes a number of arguments that is not known");
  CHECK(StatusOf(answer, "b") == "error: with params.split longer cannot be called: it returns a long double or another number that is as large");
  CHECK(StatusOf(answer, "c") == "error: with params.split a pointer to memory whose size is not known cannot be given to the solution");
  CHECK(StatusOf(answer, "d") == "error: with params.split a union with pointers in it cannot go between tests and solution");
  CHECK(StatusOf(answer, "e") == "error: with params.split a function of the solution cannot be given to the tests");
  CHECK(StatusOf(answer, "f") == "passed");
  CHECK(StatusOf(answer, "g") == "passed");
  CHECK(StatusOf(answer, "h") == "error: with params.split a FILE cannot go between tests and solution");
  CHECK(StatusOf(answer, "i") == "error: with params.split a pointer to memory whose size is not known cannot be given to the solution");
  CHECK(answer["result"]["test"]["isolation"] == "separate-processes");
  const json measured = EvaluatedSplit("c-assert", {{"it.c", "int one(void) { return 1; }\n"}}, {{"t.c", "int one(void);\nint main(void) { return one() - 1; }\n"}}, {}, "true", "yes");
  CHECK(Tally(measured) == "passed 1, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
  CHECK(measured["result"]["test"]["coverage_reason"] == "not measured where tests and solution are two processes");
  const json taken = EvaluatedSplit("c-assert", {{"it.c", "int strcmp(const char *a, const char *b) { return a == b; }\nconst char *name(void) { return \"\"; }\n"}},
                           {{"t.c", "#include <assert.h>\n#include <string.h>\nconst char *name(void);\nint main(void) { assert(strcmp(name(), \"tally\") == 0); }\n"}});
  CHECK(StatusOf(taken, "tests") == "error: the tests do not build with the solution");
  CHECK(taken["result"]["test"]["output"].get<std::string>().find("The solution defines strcmp, as the C library does.") != std::string::npos);
  const json lacking = EvaluatedSplit("c-assert", {{"it.c", "int one(void) { return 1; }\n"}}, {{"t.c", "int two(void);\nint main(void) { return two() - 2; }\n"}});
  CHECK(StatusOf(lacking, "tests") == "error: the tests do not build with the solution");
  CHECK(lacking["result"]["test"]["output"].get<std::string>().find("undefined reference to `two'") != std::string::npos);
}

}  // namespace
}  // namespace tally
