// Solutions in C and C++ that end a function of the tests in the tests' place (stacks/support/native/frames.c), and tests
// whose functions are rightly left in their middle.
#include <string>

#include "tests/support/catch.h"
#include "tests/support/evaluated.h"

namespace tally {
namespace {

using nlohmann::json;

json Answer(const std::string& stack, const std::string& solution, const std::string& test) {
  const std::string ending = stack.substr(0, 2) == "c-" ? "c" : "cpp";
  return Evaluated({.stack = stack, .solution = {{"s." + ending, solution}}, .tests = {{"t." + ending, test}}, .params = {{"coverage", "no"}}});
}

const std::string kLeft = "error: a function of the tests was left before its own end";
constexpr const char* kCheckMain =
    "int main(void) {\n  Suite *suite = suite_create(\"S\");\n  TCase *tcase = tcase_create(\"T\");\n  tcase_add_test(tcase, it);\n"
    "  suite_add_tcase(suite, tcase);\n  SRunner *runner = srunner_create(suite);\n  srunner_run_all(runner, CK_NORMAL);\n"
    "  int failed = srunner_ntests_failed(runner);\n  srunner_free(runner);\n  return failed;\n}\n";

TEST_CASE("C and C++: a solution that returns in its caller's place passes nothing") {
  const std::string leave = "__attribute__((naked)) int one(void) { __asm__(\"leave; xor %eax, %eax; ret\"); }\n";
  CHECK(StatusOf(Answer("c-assert", leave, "#include <assert.h>\nint one(void);\nint main(void) { assert(one() == 1); return 0; }\n"), "t") == kLeft);
  CHECK(StatusOf(Answer("c-assert", leave,
                        "#include <assert.h>\nint one(void);\nstatic void is_one(void) { assert(one() == 1); }\nint main(void) { is_one(); return 0; }\n"),
                 "t") == kLeft);
  CHECK(StatusOf(Answer("c-check", leave,
                        std::string("#include <check.h>\nint one(void);\nSTART_TEST(it) { ck_assert_int_eq(one(), 1); } END_TEST\n") + kCheckMain),
                 "it#T") == kLeft);
  CHECK(StatusOf(Answer("cpp-gtest", leave, "#include <gtest/gtest.h>\nint one(void);\nTEST(Is, One) { EXPECT_EQ(one(), 1); }\n"), "One#Is") == kLeft);
  CHECK(StatusOf(Answer("cpp-catch2", leave, "#include <catch2/catch.hpp>\nint one(void);\nTEST_CASE(\"one\") {\n  CHECK(2 == 2);\n  int x = one();\n  CHECK(x == 1);\n}\n"),
                 "one") == kLeft);
}

TEST_CASE("C: functions that the tests jump out of, and those of threads and coroutines, may be left in their middle") {
  const std::string solution = R"(#include <pthread.h>
#include <ucontext.h>
static ucontext_t back, body;
static char stack[1 << 16];
void once(void (*function)(void)) {
  getcontext(&body);
  body.uc_stack.ss_sp = stack;
  body.uc_stack.ss_size = sizeof stack;
  makecontext(&body, function, 0);
  swapcontext(&back, &body);
}
void enough(void) { swapcontext(&body, &back); }
void ends_thread(void) { pthread_exit(NULL); }
int one(void) { return 1; }
)";
  const std::string test = R"(#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
void once(void (*function)(void)), enough(void), ends_thread(void);
int one(void);
static jmp_buf begin;
static sigjmp_buf crashed;
static int entered, caught;
static void Coroutine(void) { entered = 1; enough(); entered = 2; }
static void *Thread(void *x) { ends_thread(); return x; }
static void Jump(void) { longjmp(begin, 1); }
static void OnCrash(int number) { siglongjmp(crashed, number); }
#define IT \
  pthread_t thread; \
  once(Coroutine); \
  pthread_create(&thread, 0, Thread, 0); \
  pthread_join(thread, 0); \
  if (setjmp(begin) == 0) Jump(); \
  signal(SIGSEGV, OnCrash); \
  if (sigsetjmp(crashed, 1) == 0) raise(SIGSEGV); else caught = 1;
)";
  CHECK(StatusOf(Answer("c-assert", solution, "#include <assert.h>\n" + test + "int main(void) { IT assert(entered == 1 && caught && one() == 1); return 0; }\n"), "t") ==
        "passed");
  CHECK(StatusOf(Answer("c-check", solution,
                        "#include <check.h>\n" + test + "START_TEST(it) { IT ck_assert(entered == 1 && caught && one() == 1); } END_TEST\n" + kCheckMain),
                 "it#T") == "passed");
}

TEST_CASE("C++: exceptions leave functions by their ends") {
  const std::string solution = "#include <stdexcept>\nint one() { throw std::runtime_error(\"two\"); }\n";
  const std::string test = "int one();\nstatic int Deeper() { return one() + 1; }\nstatic bool Throws() {\n  try {\n    return Deeper() == 0;\n  } catch (...) {\n    return true;\n  }\n}\n";
  CHECK(StatusOf(Answer("cpp-gtest", solution, "#include <gtest/gtest.h>\n" + test + "TEST(Is, One) {\n  EXPECT_THROW(Deeper(), std::exception);\n  EXPECT_TRUE(Throws());\n}\n"),
                 "One#Is") == "passed");
  CHECK(StatusOf(Answer("cpp-catch2", solution,
                        "#include <catch2/catch.hpp>\n" + test + "TEST_CASE(\"one\") {\n  CHECK_THROWS(Deeper());\n  CHECK(Throws());\n  SECTION(\"a\") { CHECK(true); }\n  SECTION(\"b\") { CHECK(true); }\n}\n"),
                 "one") == "passed");
  CHECK(StatusOf(Answer("cpp-catch2", solution, "#include <catch2/catch.hpp>\n" + test + "TEST_CASE(\"one\") {\n  REQUIRE(Throws());\n  Deeper();\n}\n"),
                 "one") == "failure: tests/t.cpp:11: {Unknown expression after the reported line}: two");
}

}  // namespace
}  // namespace tally
