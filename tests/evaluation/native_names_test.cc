// What the guard asks of tests is asked of nobody else: each name of stacks/support/native/tests_interface.h, defined by a
// solution, is nobody's but the solution's.
#include <map>
#include <regex>
#include <set>
#include <string>

#include "base/sys.h"
#include "tests/support/catch.h"
#include "tests/support/evaluated.h"

namespace tally {
namespace {

using nlohmann::json;

// What a solution puts in a name's place; each would say that it was called.
const std::map<std::string, std::string> kCheats = {
    {"tally_tests",
     "static int none_(char **a) { said(\"tally_tests\"); return a == 0; }\n"
     "static char **all_(char *p, char *id) { static char *a[2]; said(id); a[0] = p; return a; }\n"
     "static int main_(int c, char **v, char **e) { said(\"tally_tests\"); return c == 0 || v == 0 || e == 0; }\n"
     "static const char *report_(void) { said(\"tally_tests\"); return \"<testsuite><testcase name='t' classname=''/></testsuite>\"; }\n"
     "struct { int (*list)(char **); char **(*select)(char *, char *); int (*main)(int, char **, char **); const char *(*report)(void); }\n"
     "  tally_tests = {none_, all_, main_, report_};\n"},
    {"tally_leak_counts", "void tally_leak_counts(long *a, long *b) { said(\"tally_leak_counts\"); *a = 0; *b = 1000; }\n"},
    {"tally_leaks_begin", "void tally_leaks_begin(void) { said(\"tally_leaks_begin\"); }\n"},
    {"tally_coverage", "void tally_coverage(void) { said(\"tally_coverage\"); _exit(0); }\n"},
};

// The names become everybody's, as far as a solution can make them so.
constexpr const char* kHead =
    "#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"
    "static void said(const char *name) { (void)!write(1, \"called \", 7); (void)!write(1, name, strlen(name)); }\n"
    "__attribute__((constructor)) static void everybodys(void) { dlopen(\"libsolution.so\", RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL); }\n"
    "int one(void) { return 2; }\n";

struct Stack {
  const char* name;
  const char* test;
  const char* id;
};

const Stack kStacks[] = {
    {"c-assert", "#include <assert.h>\nint one(void);\nint main(void) { assert(one() == 1); return 0; }\n", "t"},
    {"c-check",
     "#include <check.h>\nint one(void);\nSTART_TEST(it) { ck_assert_int_eq(one(), 1); } END_TEST\nint main(void) {\n  Suite *suite = suite_create(\"S\");\n"
     "  TCase *tcase = tcase_create(\"T\");\n  tcase_add_test(tcase, it);\n  suite_add_tcase(suite, tcase);\n  SRunner *runner = srunner_create(suite);\n"
     "  srunner_run_all(runner, CK_NORMAL);\n  srunner_free(runner);\n  return 0;\n}\n",
     "it#T"},
    {"cpp-gtest", "#include <gtest/gtest.h>\nextern \"C\" int one();\nTEST(Is, One) { EXPECT_EQ(one(), 1); }\n", "One#Is"},
    {"cpp-catch2", "#include <catch2/catch.hpp>\nextern \"C\" int one();\nTEST_CASE(\"one\") { CHECK(one() == 1); }\n", "one"},
};

void CheckThatNobodyAsks(const std::string& solution) {
  for (const Stack& stack : kStacks) {
    const bool is_c = std::string(stack.name).substr(0, 2) == "c-";
    const json answer = Evaluated({.stack = stack.name,
                                   .solution = {{is_c ? "s.c" : "s.cc", is_c ? solution : "extern \"C\" {\n" + solution + "}\n"}},
                                   .tests = {{is_c ? "t.c" : "t.cc", stack.test}},
                                   .params = {{"coverage", "no"}}});
    INFO(stack.name << ": " << answer.dump(1));
    CHECK(StatusOf(answer, stack.id).find("failure: tests/t.c") == 0);
    CHECK(answer.dump().find("called") == std::string::npos);
    CHECK(answer["result"]["test"]["leaks"] == 0);
  }
}

std::set<std::string> NamesOfTheInterface() {
  const std::string text = sys::ReadFile(TALLY_SOURCE_DIR "/stacks/support/native/tests_interface.h");
  const std::regex name("tally_[a-z_]+");
  return {std::sregex_token_iterator(text.begin(), text.end(), name), std::sregex_token_iterator()};
}

TEST_CASE("C and C++: each name that the guard knows has a solution that defines it, and is not asked") {
  std::string solution = kHead;
  for (const std::string& name : NamesOfTheInterface()) {
    const auto cheat = kCheats.find(name);
    INFO(name << " has no cheat here");
    REQUIRE(cheat != kCheats.end());
    solution += cheat->second;
  }
  CheckThatNobodyAsks(solution);
}

TEST_CASE("C and C++: a solution's name that is resolved by a function of its own is not even looked up") {
  std::string solution = std::string(kHead) + "static int nothing(void) { return 0; }\n";
  for (const std::string& name : NamesOfTheInterface()) {
    solution += "static int (*resolve_" + name + "(void))(void) { said(\"" + name + "\"); return nothing; }\nint " + name +
                "(void) __attribute__((ifunc(\"resolve_" + name + "\")));\n";
  }
  CheckThatNobodyAsks(solution);
}

}  // namespace
}  // namespace tally
