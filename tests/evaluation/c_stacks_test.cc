// The stacks of C (plain assert, Check): a right, a wrong, a hanging, a crashing, a non-compiling and an output-flooding
// solution, with the exact answer. Cheating ones: native_cheats_test.cc.
#include <string>
#include <utility>

#include "tests/support/catch.h"
#include "tests/support/evaluated.h"

namespace tally {
namespace {

using nlohmann::json;

constexpr const char* kHeader = "#pragma once\nint sum(const int *numbers, int count);\nchar *joined(const char *a, const char *b);\n";

constexpr const char* kJoined = R"(
#include "sums.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
char *joined(const char *a, const char *b) {
  char *text = malloc(strlen(a) + strlen(b) + 1);
  return strcat(strcpy(text, a), b);
}
)";

constexpr const char* kRight = R"(
int sum(const int *numbers, int count) {
  int result = 0;
  for (int i = 0; i < count; ++i) result += numbers[i];
  return result;
}
)";

const FileTexts kAssertTests = {
    {"few_test.c",
     "#include <assert.h>\n#include \"sums.h\"\nint main(void) {\n  int few[] = {1, 2};\n  assert(sum(few, 2) == 3);\n  return 0;\n}\n"},
    {"joined_test.c",
     "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n#include \"sums.h\"\nint main(void) {\n"
     "  char *text = joined(\"ab\", \"cd\");\n  assert(strcmp(text, \"abcd\") == 0);\n  free(text);\n  return 0;\n}\n"},
    {"none_test.c", "#include \"sums.h\"\nint main(void) { return sum(0, 0) == 0 ? 0 : 7; }\n"}};

const FileTexts kCheckTests = {{"sums_test.c", R"(#include <check.h>
#include <stdlib.h>
#include "sums.h"
static int few[] = {1, 2};
START_TEST(adds_few) { ck_assert_int_eq(sum(few, 2), 3); } END_TEST
START_TEST(adds_none) { ck_assert_int_eq(sum(few, 0), 0); } END_TEST
START_TEST(adds_up_to) { ck_assert_msg(sum(few, _i) >= _i, "too little for %d", _i); } END_TEST
START_TEST(joins) {
  char *text = joined("ab", "cd");
  ck_assert_str_eq(text, "abcd");
  free(text);
} END_TEST
int main(void) {
  Suite *suite = suite_create("Sums");
  TCase *numbers = tcase_create("Numbers"), *texts = tcase_create("Texts");
  tcase_add_test(numbers, adds_few);
  tcase_add_test(numbers, adds_none);
  tcase_add_loop_test(numbers, adds_up_to, 0, 2);
  tcase_add_test(texts, joins);
  suite_add_tcase(suite, numbers);
  suite_add_tcase(suite, texts);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
)"}};

json C(const std::string& stack, const std::string& sum, const std::string& joined = kJoined, bool covered = false) {
  EvalCall call{.stack = stack, .solution = {{"sum.c", "#include \"sums.h\"\n" + sum}, {"text/joined.c", joined}}};
  call.tests = stack == "c-check" ? kCheckTests : kAssertTests;
  call.include = {{"sums.h", kHeader}};
  call.params = {{"case_timeout", "1"}, {"coverage", covered ? "yes" : "no"}};
  return Evaluated(call);
}

TEST_CASE("c-assert: a right solution passes, leaks nothing, and its lines are covered") {
  const json answer = C("c-assert", kRight, kJoined, true);
  CHECK(answer["result"]["compilation"] == json{{"compiling", true}, {"output", ""}});
  CHECK(Tally(answer) == "passed 3, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
  const json& test = answer["result"]["test"];
  CHECK(StatusOf(answer, "few_test") == "passed");
  CHECK(test["leaks"] == 0);
  CHECK(test["output"].get<std::string>().find("Cases: ") == 0);
  const json& files = test["coverage"]["files"];
  CHECK(test["coverage"]["tool"] == "gcov");
  REQUIRE(files.size() == 2);
  CHECK(files[0]["path"] == "sum.c");
  CHECK(files[0]["missed_lines"] == json::array());
  CHECK(files[0]["branches"]["covered"] == 2);
  CHECK(files[1]["path"] == "text/joined.c");
}

TEST_CASE("c-assert: a wrong solution fails by the assertion's sentence, or by main's status") {
  const json answer = C("c-assert", "int sum(const int *n, int c) { return n != 0 ? c : 1; }");
  CHECK(Tally(answer) == "passed 1, failed 2: failures 2, errors 0, pending 0, timeouts 0; correctness 0.333");
  CHECK(StatusOf(answer, "few_test") == "failure: tests/few_test.c:5: main: Assertion `sum(few, 2) == 3' failed.");
  CHECK(StatusOf(answer, "none_test") == "failure: main returned 7");
}

TEST_CASE("c-assert: hanging and crashing cost one case each") {
  const json answer = C("c-assert", "int sum(const int *n, int c) { while (c == 2) {} return *n; }");
  CHECK(Tally(answer) == "passed 1, failed 2: failures 0, errors 1, pending 0, timeouts 1; correctness 0.333");
  CHECK(StatusOf(answer, "few_test") == "timeout: cut off after 1 s");
  CHECK(StatusOf(answer, "none_test") == "error: the program ended before its test did: process exited due to signal 11 (SIGSEGV)");
}

TEST_CASE("c-assert: an assertion of the solution's own is its abort") {
  const json answer = C("c-assert", "#include <assert.h>\nint sum(const int *n, int c) { assert(c > 2); return *n; }");
  CHECK(StatusOf(answer, "few_test") == "error: the program ended before its test did: process exited due to signal 6 (SIGABRT)");
  CHECK(CaseOf(answer, "few_test")["stderr"].get<std::string>().find("Assertion `c > 2' failed.") != std::string::npos);
}

TEST_CASE("c-check: a right solution passes; a loop's iterations are cases") {
  const json answer = C("c-check", kRight, kJoined, true);
  CHECK(Tally(answer) == "passed 5, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
  for (const char* id : {"adds_few#Numbers", "adds_none#Numbers", "adds_up_to#Numbers", "adds_up_to/1#Numbers", "joins#Texts"}) {
    CHECK(StatusOf(answer, id) == "passed");
  }
  CHECK(answer["result"]["test"]["leaks"] == 0);
  CHECK(answer["result"]["test"]["coverage"]["lines"]["covered"] == answer["result"]["test"]["coverage"]["lines"]["total"]);
}

TEST_CASE("c-check: wrong, hanging and crashing cost their case; what a solution prints is its own") {
  const json answer = C("c-check", R"(#include <stdio.h>
#include <stdlib.h>
int sum(const int *n, int c) {
  printf("%d\n", c);
  if (c == 0) return -1;
  while (c == 1) {}
  return *(int *)0 + n[0];
})");
  CHECK(Tally(answer) == "passed 1, failed 4: failures 2, errors 1, pending 0, timeouts 1; correctness 0.2");
  CHECK(StatusOf(answer, "adds_few#Numbers") == "error: the program ended before its test did: process exited due to signal 11 (SIGSEGV)");
  CHECK(StatusOf(answer, "adds_none#Numbers") ==
        "failure: tests/sums_test.c:6: Assertion 'sum(few, 0) == 0' failed: sum(few, 0) == -1, 0 == 0");
  CHECK(StatusOf(answer, "adds_up_to#Numbers") == "failure: tests/sums_test.c:7: too little for 0");
  CHECK(StatusOf(answer, "adds_up_to/1#Numbers") == "timeout: cut off after 1 s");
  CHECK(CaseOf(answer, "adds_none#Numbers")["stdout"] == "0\n");
  CHECK(StatusOf(answer, "joins#Texts") == "passed");
}

TEST_CASE("c-check: an unchecked fixture that fails fails the cases of its own TCase") {
  const json answer = Evaluated({.stack = "c-check",
                                 .solution = {{"one.c", "int one(void) { return 1; }\n"}},
                                 .tests = {{"t.c", R"(#include <check.h>
int one(void);
static int made;
static void make(void) { made = one(); }
static void make_badly(void) { ck_assert_int_eq(one(), 2); }
START_TEST(it) { ck_assert_int_eq(one(), 1); } END_TEST
START_TEST(with_it) { ck_assert_int_eq(made, 1); } END_TEST
static TCase *of(Suite *suite, const char *name, void (*fixture)(void), const TTest *test) {
  TCase *tcase = tcase_create(name);
  suite_add_tcase(suite, tcase);
  tcase_add_unchecked_fixture(tcase, fixture, NULL);
  tcase_add_test(tcase, test);
  return tcase;
}
int main(void) {
  Suite *one = suite_create("One"), *other = suite_create("Other");
  of(one, "Good", make, with_it);
  of(one, "Bad", make_badly, it);
  suite_add_tcase(other, tcase_create("Empty"));
  of(other, "Later", make, it);
  SRunner *first = srunner_create(one), *second = srunner_create(other);
  srunner_run_all(first, CK_NORMAL);
  srunner_run_all(second, CK_NORMAL);
  return srunner_ntests_failed(first) + srunner_ntests_failed(second);
}
)"}},
                                 .params = {{"coverage", "no"}}});
  INFO(answer.dump(1));
  CHECK(StatusOf(answer, "with_it#Good") == "passed");
  CHECK(StatusOf(answer, "it#Bad") == "failure: tests/t.c:5: Assertion 'one() == 2' failed: one() == 1, 2 == 2");
  CHECK(StatusOf(answer, "it#Later") == "passed");
}

TEST_CASE("C: leaks are what solution and tests allocate and do not free, whatever function allocates") {
  const json answer = C("c-check", kRight, R"(#define _GNU_SOURCE
#include "sums.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
char *joined(const char *a, const char *b) {
  char *text = NULL, *copy = strdup(a), *line = NULL, *memory = NULL;
  size_t size = 0;
  if (asprintf(&text, "%s%s", a, b) < 0) abort();
  copy = realloc(copy, 1000);
  FILE *file = open_memstream(&memory, &size);
  fputs("x\n", file);
  fclose(file);
  free(memory);
  file = fmemopen("line\n", 5, "r");
  size = 0;
  if (getline(&line, &size, file) < 0) abort();
  fclose(file);
  calloc(2, 2);
  return text;
})");
  CHECK(Tally(answer) == "passed 5, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
  CHECK(answer["result"]["test"]["leaks"] == 3);  // copy, line, calloc's
}

TEST_CASE("C: what does not compile has the compiler's words, and so has what the tests cannot be linked with") {
  for (const char* stack : {"c-assert", "c-check"}) {
    const json broken = C(stack, "int sum(void) { return x; }");
    CHECK(broken["success"] == true);
    CHECK(broken["result"]["compilation"]["compiling"] == false);
    CHECK(broken["result"]["compilation"]["output"].get<std::string>().find("/box/solution/sum.c:2:5: error: conflicting types") !=
          std::string::npos);
    CHECK(broken["result"]["test"].is_null());
  }
  const json absent = C("c-assert", "int total(void) { return 0; }");
  CHECK(absent["result"]["compilation"]["compiling"] == true);
  CHECK(StatusOf(absent, "tests") == "error: the tests do not build with the solution");
  CHECK(CaseOf(absent, "tests")["details"].get<std::string>().find("undefined reference to `sum'") != std::string::npos);
}

TEST_CASE("C: a solution that floods its output is an error, and the answer stays small") {
  const std::pair<const char*, std::pair<const char*, const char*>> stacks[] = {
      {"c-assert", {"few_test", "joined_test"}}, {"c-check", {"adds_few#Numbers", "joins#Texts"}}};
  for (const auto& [stack, ids] : stacks) {
    const json answer = C(stack, "#include <stdio.h>\nint sum(const int *n, int c) { while (c == 2) puts(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"); return n != 0; }");
    INFO(stack);
    CHECK(StatusOf(answer, ids.first).find("error: output limit exceeded") == 0);
    CHECK(CaseOf(answer, ids.first)["stdout"].get<std::string>().size() < 70'000);
    CHECK(StatusOf(answer, ids.second) == "passed");
  }
}

TEST_CASE("C: what a solution prints beyond what an answer shows is cut, and costs no case") {
  const std::string prints = "int sum(const int *n, int c) { int s = 0; for (int i = 0; i < 50000; ++i) fputs(\"żż\", stdout); while (c > 0) s += n[--c]; return s; }";
  for (const std::string stack : {"c-assert", "c-check"}) {
    for (const std::string split : {"false", "true"}) {
      INFO(stack << " split " << split);
      const json answer = EvaluatedSplit(stack, {{"sum.c", "#include <stdio.h>\n#include \"sums.h\"\n" + prints}, {"text/joined.c", kJoined}},
                                         stack == "c-check" ? kCheckTests : kAssertTests, {{"sums.h", kHeader}}, split);
      CheckLongOutput(answer, stack == "c-check" ? "adds_few#Numbers" : "few_test");
    }
  }
}

TEST_CASE("C: without tests none fails") {
  for (const char* stack : {"c-assert", "c-check"}) {
    const json answer = Evaluated({.stack = stack, .solution = {{"one.c", "int one(void) { return 1; }\n"}}});
    CHECK(Tally(answer) == "passed 0, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 0");
  }
}

TEST_CASE("C: style is cppcheck's") {
  const json answer = Evaluated({.stack = "c", .solution = {{"sum.c", "int sum(void) {\n  int x;\n  return x;\n}\n"}}, .test = false, .style = true});
  const json& style = answer["result"]["style"];
  CHECK(style["report"]["tool"] == "cppcheck");
  CHECK(style["report"]["version"].get<std::string>().find("Cppcheck ") == 0);
  REQUIRE(style["errors"] == 2);
  CHECK(style["report"]["errors"][0]["message"] == "Uninitialized variable: x");
  CHECK(style["report"]["errors"][0]["file"] == "sum.c");
  CHECK(style["report"]["errors"][0]["line"] == 3);
}

// quick_link.c links against the names that most programs use, and a second time where others are.
TEST_CASE("c-assert: what few programs use is linked, too, and what compiler and linker say is said once") {
  const std::string rare = "#include <math.h>\n#include <regex.h>\n#include <stdio.h>\n"
                           "int matches(const char *text) {\n  int unused;\n  regex_t a_or_b;\n  if (regcomp(&a_or_b, \"^[ab]$\", REG_NOSUB) != 0) return -1;\n"
                           "  const int found = regexec(&a_or_b, text, 0, NULL, 0) == 0;\n  regfree(&a_or_b);\n  return found;\n}\n"
                           "double power(double x, double y) {\n  char text[32];\n  snprintf(text, sizeof text, \"%g\", pow(x, y));\n  double result;\n"
                           "  return sscanf(text, \"%lf\", &result) == 1 ? result : 0;\n}\n";
  const auto count = [](const json& text, const std::string& part) {
    const std::string whole = text.get<std::string>();
    int found = 0;
    for (std::size_t at = whole.find(part); at != std::string::npos; at = whole.find(part, at + 1)) ++found;
    return found;
  };
  const json answer = Evaluated({.stack = "c-assert", .solution = {{"s.c", rare}},
                                 .tests = {{"t.c", "#include <assert.h>\n#include <math.h>\nint matches(const char *);\ndouble power(double, double);\n"
                                                   "int main(void) { assert(matches(\"a\") == 1 && matches(\"c\") == 0 && power(2, 10) == cbrt(1073741824)); }\n"}},
                                 .params = {{"coverage", "no"}}});
  CHECK(Tally(answer) == "passed 1, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
  CHECK(count(answer["result"]["compilation"]["output"], "unused variable") == 1);
  const json missing = Evaluated({.stack = "c-assert", .solution = {{"s.c", "int nothing(void);\nint one(void) { return nothing(); }\n"}},
                                  .tests = {{"t.c", "#include <assert.h>\nint one(void);\nint main(void) { assert(one() == 1); }\n"}},
                                  .params = {{"coverage", "no"}}});
  CHECK(StatusOf(missing, "tests") == "error: the tests do not build with the solution");
  CHECK(count(missing["result"]["test"]["output"], "undefined reference to `nothing'") == 1);
}

}  // namespace
}  // namespace tally
