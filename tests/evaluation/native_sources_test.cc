// Which file of a request is taken for what in C and C++, whatever the files are called.
#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "evaluation/process_calls.h"
#include "tests/support/catch.h"
#include "tests/support/evaluated.h"

namespace tally {
namespace {

using nlohmann::json;

// A header of this name that says, in the framework's place, that all is well.
struct Impostor {
  const char* stack;
  const char* header;
  const char* text;
  const char* test;
  const char* id;
};

const Impostor kImpostors[] = {
    {"c-assert", "assert.h", "#define assert(x) ((void)(x))\n",
     "#include \"assert.h\"\n#include \"one.h\"\nint main(void) { assert(one() == 1); return 0; }\n", "t"},
    {"c-check", "check.h",
     "#include \"/usr/include/check.h\"\n#undef ck_assert_int_eq\n#define ck_assert_int_eq(a, b) ((void)(a), (void)(b))\n",
     "#include <check.h>\n#include \"one.h\"\nSTART_TEST(is_one) { ck_assert_int_eq(one(), 1); } END_TEST\nint main(void) {\n"
     "  Suite *suite = suite_create(\"S\");\n  TCase *tcase = tcase_create(\"T\");\n  tcase_add_test(tcase, is_one);\n"
     "  suite_add_tcase(suite, tcase);\n  SRunner *runner = srunner_create(suite);\n  srunner_run_all(runner, CK_NORMAL);\n"
     "  return 0;\n}\n",
     "is_one#T"},
    {"cpp-gtest", "gtest/gtest.h", "#include \"/usr/include/gtest/gtest.h\"\n#undef EXPECT_EQ\n#define EXPECT_EQ(a, b) (void)(a)\n",
     "#include <gtest/gtest.h>\n#include \"one.h\"\nTEST(Is, One) { EXPECT_EQ(one(), 1); }\n", "One#Is"},
    {"cpp-catch2", "catch2/catch.hpp", "#include \"/usr/include/catch2/catch.hpp\"\n#undef CHECK\n#define CHECK(x) SUCCEED()\n",
     "#include <catch2/catch.hpp>\n#include \"one.h\"\nTEST_CASE(\"one\") { CHECK(one() == 1); }\n", "one"},
};

TEST_CASE("C and C++: a header of the solution that is called as the framework's is not the tests'; one of its own is") {
  for (const Impostor& impostor : kImpostors) {
    const std::string ending = std::string(impostor.stack).substr(0, 2) == "c-" ? "c" : "cpp";
    const json answer = Evaluated({.stack = impostor.stack,
                                   .solution = {{"one." + ending, "#include \"one.h\"\nint one(void) { return 2; }\n"},
                                                {"one.h", "#pragma once\nint one(void);\n"},
                                                {impostor.header, impostor.text}},
                                   .tests = {{"t." + ending, impostor.test}}});
    INFO(impostor.stack << ": " << answer.dump(1));
    CHECK(answer["result"]["compilation"]["compiling"] == true);
    CHECK(StatusOf(answer, impostor.id).find("failure: tests/t." + ending + ":") == 0);
    REQUIRE(answer["result"]["test"]["coverage"].is_object());  // for which they are compiled once more
  }
}

TEST_CASE("a call is a name and a parenthesis, wherever in a text it is") {
  const std::vector<std::string> names{"fork", "system"};
  CHECK(CallsOneOf("pid = fork();", names));
  CHECK(CallsOneOf("// fork ()", names));
  CHECK(CallsOneOf("a system, or std::system\n(\"x\")", names));
  CHECK_FALSE(CallsOneOf("a forked system", names));
  CHECK_FALSE(CallsOneOf("#include <system_error>\nvfork(); my_system(); forks(); fork", names));
  CHECK_FALSE(CallsOneOf("fork(", {}));
}

TEST_CASE("c-assert: test files of one name in several folders are a case each, whatever they are called") {
  const std::string head = "#include <assert.h>\nint one(void);\nint main(void) { assert(one() == ";
  const json answer = Evaluated({.stack = "c-assert",
                                 .solution = {{"one.c", "int one(void) { return 1; }\n"}},
                                 .tests = {{"a/t.c", head + "1); return 0; }\n"},
                                           {"b/t.c", head + "2); return 0; }\n"},
                                           {"a%2Ft.c", head + "3); return 0; }\n"},
                                           {"libsolution.c", head + "4); return 0; }\n"},
                                           {"t.c", head + "1); return 0; }\n"},
                                           {"t.given.c", head + "5); return 0; }\n"}},
                                 .params = {{"coverage", "no"}}});
  CHECK(Tally(answer) == "passed 2, failed 4: failures 4, errors 0, pending 0, timeouts 0; correctness 0.333");
  CHECK(StatusOf(answer, "a/t") == "passed");
  CHECK(StatusOf(answer, "t") == "passed");
  CHECK(StatusOf(answer, "b/t") == "failure: tests/b/t.c:3: main: Assertion `one() == 2' failed.");
  CHECK(StatusOf(answer, "a%2Ft") == "failure: tests/a%2Ft.c:3: main: Assertion `one() == 3' failed.");
  CHECK(StatusOf(answer, "libsolution") == "failure: tests/libsolution.c:3: main: Assertion `one() == 4' failed.");
  CHECK(StatusOf(answer, "t.given") == "failure: tests/t.given.c:3: main: Assertion `one() == 5' failed.");
}

TEST_CASE("C and C++: of sources of one name in two folders of a solution, each has its own lines covered") {
  for (const char* stack : {"c-assert", "c-check", "cpp-gtest", "cpp-catch2"}) {
    const std::string ending = std::string(stack).substr(0, 2) == "c-" ? "c" : "cpp";
    const auto* impostor = std::find_if(std::begin(kImpostors), std::end(kImpostors), [&](const Impostor& i) { return std::string(i.stack) == stack; });
    const json answer = Evaluated({.stack = stack,
                                   .solution = {{"a/one." + ending, "#include \"one.h\"\nint one(void) {\n  return 1;\n}\n"},
                                                {"b/one." + ending, "#include \"one.h\"\nint other(void) {\n  return 2;\n}\n"}},
                                   .tests = {{"t." + ending, impostor->test}},
                                   .include = {{"one.h", "#pragma once\nint one(void);\nint other(void);\n"}}});
    INFO(stack << ": " << answer.dump(1));
    CHECK(StatusOf(answer, impostor->id) == "passed");
    const json& files = answer["result"]["test"]["coverage"]["files"];
    REQUIRE(files.size() == 2);
    CHECK(files[0]["missed_lines"] == json::array());
    CHECK(files[1]["path"] == "b/one." + ending);
    CHECK(files[1]["missed_lines"] == json{2, 3});
  }
}

}  // namespace
}  // namespace tally
