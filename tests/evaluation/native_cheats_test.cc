// Solutions in C and C++ that would rather pass than be right. The wall is in stacks/support/native/guard.c.
#include <map>
#include <regex>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/evaluated.h"
#include "tests/support/file_text.h"

namespace tally {
namespace {

using nlohmann::json;

const std::string kEnded = "error: the program ended before its test did (exit status 0)";

// Those not named here are failures, of their assertion.
const std::map<std::string, std::string> kHowTheyEnd = {
    {"calls_exit", kEnded},
    {"calls_underscore_exit", kEnded},
    {"calls_quick_exit", kEnded},
    {"executes_true", kEnded},
    {"ends_its_thread", kEnded},
    {"exits_in_a_signal_handler", kEnded},
    {"prints_a_report", kEnded},
    {"writes_everywhere", "error: something that is not the test framework wrote into the report"},
    {"closes_everything", "error: the program ended before its test did (exit status 2)"},
    {"closes_the_report", "error: the program ended before its test did (exit status 1)"},
    {"jumps_out", kEnded},
    {"forks_guesses", kEnded},
    {"goes_on_in_a_child", kEnded},
    {"searches_memory", kEnded},
    {"early_exit", kEnded},
    {"early_thread", kEnded},
    {"early_main", kEnded},
};

TEST_CASE("C: no cheat passes, and each ends as its kind does") {
  const json answer = Evaluated({.stack = "check",
                                 .solution = {{"cheats.c", FileText("evaluation/stacks/cheats.c")}},
                                 .tests = {{"cheats_test.c", FileText("evaluation/stacks/cheats_test.c")}},
                                 .include = {{"cheats.h", FileText("evaluation/stacks/cheats.h")}},
                                 .params = {{"case_timeout", "5"}, {"coverage", "no"}}});
  REQUIRE(answer["result"]["compilation"] == json{{"compiling", true}, {"output", ""}});
  CHECK(answer["result"]["test"]["testcases"] == 30);
  CHECK(answer["result"]["test"]["passed"] == 0);
  for (const json& test : answer["result"]["test"]["testsuite"]["suites"][0]["cases"]) {
    const std::string name = test["name"].get<std::string>().substr(5);
    INFO(name);
    if (name == "empties_files") continue;  // a failure, or libcheck gives up on its file
    const auto how = kHowTheyEnd.find(name);
    const std::string status = StatusOf(answer, test["id"]);
    if (how != kHowTheyEnd.end()) {
      CHECK(status == how->second);
    } else {
      CHECK(status.find("failure: tests/cheats_test.c:7: Assertion '" + name + "() == 42' failed") == 0);
    }
  }
}

// The same ones, each by a program of its own. One that has assert's function does not build.
TEST_CASE("c-assert: no cheat passes") {
  const std::string header = FileText("evaluation/stacks/cheats.h");
  const std::string solution = std::regex_replace(FileText("evaluation/stacks/cheats.c"), std::regex("void __assert_fail.void. ..\n"), "");
  FileTexts tests;
  const std::regex cheat(R"(CHEAT\((\w+)\))");
  for (auto name = std::sregex_iterator(header.begin(), header.end(), cheat); name != std::sregex_iterator(); ++name) {
    const std::string call = (*name)[1];
    tests.push_back({"test_" + call + ".c", "#include <assert.h>\n#include \"cheats.h\"  // solutions may fork()\nint main(void) {\n  assert(" + call +
                                               "() == 42);\n  return 0;\n}\n"});
  }
  REQUIRE(tests.size() == 30);
  const json answer = Evaluated({.stack = "c-assert",
                                 .solution = {{"cheats.c", solution}},
                                 .tests = tests,
                                 .include = {{"cheats.h", header}},
                                 .params = {{"case_timeout", "5"}, {"coverage", "no"}}});
  REQUIRE(answer["result"]["compilation"]["compiling"] == true);
  CHECK(answer["result"]["test"]["testcases"] == 30);
  CHECK(answer["result"]["test"]["passed"] == 0);
  CHECK(StatusOf(answer, "test_closes_everything") == "error: the program ended before its test did (exit status 1)");
  for (const auto& [file, text] : tests) {
    const std::string id = file.substr(0, file.size() - 2), name = id.substr(5);
    INFO(name);
    if (name == "empties_files" || name == "closes_everything") continue;  // libcheck's own
    const auto how = kHowTheyEnd.find(name);
    CHECK(StatusOf(answer, id) == (how != kHowTheyEnd.end() ? how->second : "failure: tests/" + file + ":4: main: Assertion `" + name + "() == 42' failed."));
  }
}

json Assert(const std::string& solution, const std::string& test) {
  return Evaluated({.stack = "c-assert", .solution = {{"s.c", solution}}, .tests = {{"t.c", test}}, .params = {{"coverage", "no"}}});
}

TEST_CASE("C: a solution's strcmp or __assert_fail is not the tests', and that they would differ is said") {
  const std::string test = "#include <assert.h>\n#include <string.h>\nconst char *name(void);\nint main(void) { assert(strcmp(name(), \"tally\") == 0); }\n";
  const json own_assert = Assert("void __assert_fail(void) {}\nconst char *name(void) { return \"\"; }\n", test);
  CHECK(own_assert["result"]["test"]["output"].get<std::string>().find("The solution defines __assert_fail,") != std::string::npos);
  const json answer = Assert("int strcmp(const char *a, const char *b) { return a == b; }\nconst char *name(void) { return \"\"; }\n", test);
  CHECK(StatusOf(answer, "tests") == "error: the tests do not build with the solution");
  CHECK(answer["result"]["test"]["output"].get<std::string>().find("The solution defines strcmp, as the C library does.") != std::string::npos);
}

TEST_CASE("C: a solution's own main and names of the guard change nothing") {
  const json answer = Assert(
      "void __wrap___assert_fail(void) { exit(0); }\nint tally_main(void) { return 0; }\nint main(void) { return 0; }\nint one(void) { return 2; }\n",
      "#include <assert.h>\nint one(void);\nint main(void) {\n  assert(one() == 1);\n  return 0;\n}\n");
  CHECK(StatusOf(answer, "t") == "failure: tests/t.c:4: main: Assertion `one() == 1' failed.");
}

TEST_CASE("C: tests without a main are not given the solution's") {
  const json answer = Assert("int main(void) { return 0; }\n", "int nothing;\n");
  CHECK(StatusOf(answer, "tests") == "error: the tests do not build with the solution");
  CHECK(answer["result"]["test"]["output"].get<std::string>().find("undefined reference to `main'") != std::string::npos);
}

// What it returns in a child tells by the child's end, and by how far the child came, whether it is right.
constexpr const char* kAsksAChild = R"(#include <sys/wait.h>
#include <unistd.h>
int one(void) {
  static int guess;
  for (guess = 0; guess < 9; ++guess) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) return guess;
    waitpid(child, &status, 0);
    if (status == 0) return guess;
  }
  return 0;
}
)";

TEST_CASE("C: a solution that asks a child which answer is right is ended; where the tests fork, too, it is not") {
  const std::string test = "#include <assert.h>\nint one(void);\nint main(void) { assert(one() == 7); return 0; }\n";
  CHECK(StatusOf(Assert(kAsksAChild, test), "t") == "error: process limit exceeded: a second process, where threads alone are allowed");
  CHECK(StatusOf(Assert(kAsksAChild, "// solutions may fork ()\n" + test), "t") == "passed");
}

TEST_CASE("C: a solution may have threads where it may have no child") {
  const json answer = Assert("#include <pthread.h>\nstatic void *one_(void *x) { *(int *)x = 1; return x; }\nint one(void) {\n  int result = 0;\n"
                             "  for (int i = 0; i < 100; ++i) {\n    pthread_t thread;\n    pthread_create(&thread, NULL, one_, &result);\n"
                             "    pthread_join(thread, NULL);\n  }\n  return result;\n}\n",
                             "#include <assert.h>\nint one(void);\nint main(void) { assert(one() == 1); return 0; }\n");
  CHECK(StatusOf(answer, "t") == "passed");
}

TEST_CASE("C and C++: tests that are to end by a signal or a status have their processes") {
  const FileTexts solution{{"ends.c", "#include <stdlib.h>\nvoid ends(int how) { if (how == 0) abort(); exit(how); }\n"}};
  const json check = Evaluated({.stack = "check",
                                .solution = solution,
                                .tests = {{"t.c", "#include <check.h>\n#include <signal.h>\nvoid ends(int how);\nSTART_TEST(aborts) { ends(0); } END_TEST\n"
                                                  "START_TEST(exits) { ends(3); } END_TEST\nint main(void) {\n  Suite *suite = suite_create(\"S\");\n"
                                                  "  TCase *tcase = tcase_create(\"T\");\n  tcase_add_test_raise_signal(tcase, aborts, SIGABRT);\n"
                                                  "  tcase_add_exit_test(tcase, exits, 3);\n  suite_add_tcase(suite, tcase);\n"
                                                  "  SRunner *runner = srunner_create(suite);\n  srunner_run_all(runner, CK_NORMAL);\n  return 0;\n}\n"}},
                                .params = {{"coverage", "no"}}});
  CHECK(StatusOf(check, "aborts#T") == "passed");
  CHECK(StatusOf(check, "exits#T") == "passed");
  const json gtest = Evaluated({.stack = "gtest",
                                .solution = {{"ends.cc", "#include <cstdlib>\nvoid ends(int how) { std::exit(how); }\n"}},
                                .tests = {{"t.cc", "#include <gtest/gtest.h>\nvoid ends(int how);\n"
                                                   "TEST(It, Ends) { EXPECT_EXIT(ends(3), testing::ExitedWithCode(3), \"\"); }\n"}},
                                .params = {{"coverage", "no"}}});
  CHECK(StatusOf(gtest, "Ends#It") == "passed");
}

json Gtest(const std::string& solution, const std::string& test) {
  return Evaluated({.stack = "gtest",
                    .solution = {{"s.cc", solution}},
                    .tests = {{"t.cc", "#include <gtest/gtest.h>\n#include <string>\n" + test}},
                    .params = {{"coverage", "no"}, {"case_timeout", "2"}}});
}

TEST_CASE("C++: functions of the library and of the framework's templates that a solution defines are its own") {
  const json answer = Gtest(R"(#include <cstdlib>
#include <new>
#include <string>
extern "C" int memcmp(const void*, const void*, std::size_t) { return 0; }
void* operator new(std::size_t size) { void* p = std::malloc(size); if (p == nullptr) std::_Exit(0); return p; }
namespace testing {
class AssertionResult { public: char room[64]; };
AssertionResult AssertionSuccess() { std::exit(0); }
namespace internal {
template <typename A, typename B> AssertionResult CmpHelperEQ(const char*, const char*, const A&, const B&);
template <> AssertionResult CmpHelperEQ<int, int>(const char*, const char*, const int&, const int&) { std::exit(0); }
}
}
int one() { return 2; }
std::string name() { return "right"; }
)",
                            "int one();\nstd::string name();\nTEST(Is, One) { EXPECT_EQ(one(), 1); }\nTEST(Is, Wrong) { EXPECT_EQ(name(), \"wrong\"); }\n");
  INFO(answer["result"]["compilation"]["output"]);
  CHECK(StatusOf(answer, "tests") == "error: the tests do not build with the solution");  // memcmp, which std::string's comparison in the tests calls
  CHECK(answer["result"]["test"]["output"].get<std::string>().find("The solution defines memcmp") != std::string::npos);
}

TEST_CASE("C++: a solution cannot reach the framework in the tests") {
  const json answer = Gtest(R"(#include <gtest/gtest.h>
__attribute__((constructor)) static void Early() { testing::GTEST_FLAG(filter) = "-*"; }
int one() { return 2; }
)", "int one();\nTEST(Is, One) { EXPECT_EQ(one(), 1); }\n");
  CHECK(StatusOf(answer, "One#Is") == "error: the program ended before its test did (exit status 125)");
  CHECK(CaseOf(answer, "One#Is")["stderr"].get<std::string>().find("undefined symbol: _ZN7testing18FLAGS_gtest_filter") != std::string::npos);
}

TEST_CASE("C++: a constructor that lists fewer tests, exits or prints a report hides and passes none") {
  const json answer = Gtest(R"(#include <cstdio>
#include <cstdlib>
#include <cstring>
__attribute__((constructor)) static void Early(int argc, char** argv) {
  std::puts("Easy#Is");
  std::fflush(stdout);
  if (argc < 4 || std::strstr(argv[3], "One") != nullptr) std::_Exit(0);
}
struct AtExit { ~AtExit() { std::_Exit(0); } } at_exit;
int one() { return 2; }
)",
                            "int one();\nTEST(Is, One) { EXPECT_EQ(one(), 1); }\nTEST(Is, Two) { EXPECT_EQ(one(), 1); }\n");
  CHECK(Tally(answer) == "passed 0, failed 2: failures 1, errors 1, pending 0, timeouts 0; correctness 0");
  CHECK(StatusOf(answer, "One#Is") == kEnded);
  CHECK(StatusOf(answer, "Two#Is") == "failure: tests/t.cc:5: Expected equality of these values: one() Which is: 2 1");
}

}  // namespace
}  // namespace tally
