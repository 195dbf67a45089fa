// The stacks of C++ (Catch2, GoogleTest): a right, a wrong, a hanging, a crashing, a non-compiling and an output-flooding
// solution, with the exact answer. Cheating ones: native_cheats_test.cc.
#include <string>
#include <utility>

#include "tests/support/catch.h"
#include "tests/support/evaluated.h"

namespace tally {
namespace {

using nlohmann::json;

constexpr const char* kHeader = R"(#pragma once
#include <string>
#include <vector>
int sum(const std::vector<int>& numbers);
struct Names {
  virtual ~Names() = default;
  virtual std::string Joined(const std::string& a, const std::string& b) const;
};
)";

constexpr const char* kJoined = "#include \"sums.h\"\nstd::string Names::Joined(const std::string& a, const std::string& b) const { return a + b; }\n";
constexpr const char* kRight = "int sum(const std::vector<int>& numbers) {\n  int result = 0;\n  for (int n : numbers) result += n;\n  return result;\n}\n";
// The empty sum, that of two, and that of three are of three kinds.
constexpr const char* kBad = R"(#include <iostream>
int sum(const std::vector<int>& numbers) {
  std::cout << numbers.size() << std::endl;
  if (numbers.size() == 3) return *static_cast<const volatile int*>(nullptr);
  volatile bool hanging = numbers.size() == 2;
  while (hanging) {}
  return 1;
}
)";

const FileTexts kCatchTests = {{"main.cpp", "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n"}, {"sums.cpp", R"(#include <catch2/catch.hpp>
#include "sums.h"
static const Names names;
TEST_CASE("sums, [small] ones", "[sum]") {
  CHECK(sum({}) == 0);
  SECTION("one") { CHECK(sum({1}) == 1); }
}
TEST_CASE("two") { REQUIRE(sum({1, 2}) == 3); }
TEST_CASE("three") { REQUIRE(sum({1, 2, 3}) == 6); }
TEST_CASE("a name is \"joined\"*") { REQUIRE_THAT(names.Joined("a", "b"), Catch::Equals("ab")); }
TEST_CASE("not today", "[.]") { FAIL(); }
)"}};

const FileTexts kGtestTests = {{"sums.cc", R"(#include <gtest/gtest.h>
#include "sums.h"
static const Names names;
TEST(Sum, Small) {
  EXPECT_EQ(sum({}), 0);
  EXPECT_EQ(sum({1}), 1) << "of one";
}
class Sums : public testing::TestWithParam<int> {};
TEST_P(Sums, More) {
  std::vector<int> numbers(GetParam(), 2);
  ASSERT_EQ(sum(numbers), 2 * GetParam());
}
INSTANTIATE_TEST_SUITE_P(Few, Sums, testing::Values(2, 3));
TEST(Names, Joined) { EXPECT_EQ(names.Joined("a", "b"), "ab"); }
TEST(Names, DISABLED_Later) { FAIL(); }
)"}};

json Cpp(const std::string& stack, const std::string& sum, bool covered = false) {
  EvalCall call{.stack = stack, .solution = {{"sum.cpp", "#include \"sums.h\"\n" + sum}, {"joined.cpp", kJoined}}};
  call.tests = stack == "cpp-gtest" ? kGtestTests : kCatchTests;
  call.include = {{"sums.h", kHeader}};
  call.params = {{"case_timeout", "1"}, {"coverage", covered ? "yes" : "no"}};
  return Evaluated(call);
}

TEST_CASE("cpp-catch2: a right solution passes, whatever cases are called") {
  const json answer = Cpp("cpp-catch2", kRight, true);
  CHECK(answer["result"]["compilation"] == json{{"compiling", true}, {"output", ""}});
  CHECK(Tally(answer) == "passed 4, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
  for (const char* id : {"sums, [small] ones", "two", "three", "a name is \"joined\"*"}) CHECK(StatusOf(answer, id) == "passed");
  CHECK(answer["result"]["test"]["leaks"] == 0);
  const json& coverage = answer["result"]["test"]["coverage"];
  CHECK(coverage["lines"]["covered"] == coverage["lines"]["total"]);
  CHECK(coverage["files"].size() == 2);
}

TEST_CASE("C++: leaks are what was allocated and nobody has any more, no matter who allocated it; what containers keep is none") {
  const std::string sum = R"(#include <map>
#include <memory>
#include <sstream>
#include <thread>
struct Ring { Ring* next; };
static std::map<int, std::string> kept;
int sum(const std::vector<int>& numbers) {
  int result = 0;
  for (int n : numbers) result += n;
  kept[static_cast<int>(numbers.size())] = std::string(100, 'k');
  thread_local std::unique_ptr<Ring> mine = std::make_unique<Ring>();
  std::thread([&] { kept[-1] = std::string(200, 't'); }).join();
  std::ostringstream text;
  text << result << std::endl;
  if (numbers.size() != 2) return result;
  new std::string(text.str() + " which is too long to be in the string itself");  // two
  Ring* ring = new Ring{new Ring{nullptr}};
  ring->next->next = ring;  // two
  void* memory = malloc(100);  // one
  memory = realloc(memory, 5000);
  free(calloc(10, 10));
  return result;
}
)";
  for (const char* stack : {"cpp-gtest", "cpp-catch2"}) {
    const json answer = Cpp(stack, "#include <cstdlib>\n" + sum);
    INFO(answer.dump(1));
    CHECK(answer["result"]["test"]["passed"] == 4);
    CHECK(answer["result"]["test"]["leaks"] == 5);
  }
}

TEST_CASE("C++: what a thread may have that still runs is not called lost, and nothing is said of leaks") {
  const json answer = Cpp("cpp-catch2", std::string("#include <thread>\n#include <chrono>\n") + R"(int sum(const std::vector<int>& numbers) {
  if (numbers.size() == 2) std::thread([] { std::string own(100, 'x'); std::this_thread::sleep_for(std::chrono::hours(1)); }).detach();
  int result = 0;
  for (int n : numbers) result += n;
  return result;
})");
  INFO(answer.dump(1));
  CHECK(answer["result"]["test"]["failed"] == 0);
  CHECK(answer["result"]["test"]["leaks"] == 0);  // of the other cases
}

TEST_CASE("cpp-catch2: wrong, hanging and crashing cost their case; what a solution prints is its own") {
  const json answer = Cpp("cpp-catch2", kBad);
  CHECK(Tally(answer) == "passed 1, failed 3: failures 1, errors 1, pending 0, timeouts 1; correctness 0.25");
  CHECK(StatusOf(answer, "sums, [small] ones") == "failure: tests/sums.cpp:5: CHECK( sum({}) == 0 ), with expansion: 1 == 0");
  CHECK(StatusOf(answer, "two") == "timeout: cut off after 1 s");
  CHECK(StatusOf(answer, "three") == "error: the program ended before its test did: process exited due to signal 11 (SIGSEGV)");
  CHECK(CaseOf(answer, "sums, [small] ones")["stdout"] == "0\n1\n");
}

TEST_CASE("cpp-catch2: a case is run by its name, whatever that means in a test specification") {
  const std::string names[] = {"one", "*", "star *", "star * and more", "* star", "exclude:this", "exclude: that", "~one", "[one]", "a, b",
                               "back\\slash", "\"quoted\"", "two  blanks", "hash#tag", "-x"};
  std::string tests = "#include <catch2/catch.hpp>\nint one();\nTEST_CASE(\"One\") { CHECK(one() == 2); }\nTEST_CASE(\" one\") { CHECK(one() == 3); }\n";
  for (const std::string& name : names) tests += "TEST_CASE(" + json(name).dump() + ") { CHECK(one() == 1); }\n";
  const json answer = Evaluated({.stack = "cpp-catch2",
                                 .solution = {{"one.cpp", "int one() { return 1; }\n"}},
                                 .tests = {{"t.cpp", tests}},
                                 .params = {{"coverage", "no"}}});
  INFO(answer.dump(1));
  CHECK(answer["result"]["test"]["testcases"] == 17);
  CHECK(StatusOf(answer, "One") == "failure: tests/t.cpp:3: CHECK( one() == 2 ), with expansion: 1 == 2");
  CHECK(StatusOf(answer, "one") == "failure: tests/t.cpp:4: CHECK( one() == 3 ), with expansion: 1 == 3");
  CHECK(StatusOf(answer, "2:one") == "passed");  // of two that are one without their blanks
  for (const std::string& name : names) {
    if (name != "one") CHECK(StatusOf(answer, name) == "passed");
  }
}

TEST_CASE("cpp-gtest: a right solution passes; parameters make cases, a disabled test is pending") {
  const json answer = Cpp("cpp-gtest", kRight, true);
  CHECK(Tally(answer) == "passed 4, failed 1: failures 0, errors 0, pending 1, timeouts 0; correctness 0.8");
  for (const char* id : {"Small#Sum", "Joined#Names", "More/0#Few/Sums", "More/1#Few/Sums"}) CHECK(StatusOf(answer, id) == "passed");
  CHECK(StatusOf(answer, "DISABLED_Later#Names") == "pending: the test is disabled");
  const json& coverage = answer["result"]["test"]["coverage"];
  CHECK(coverage["lines"]["covered"] == coverage["lines"]["total"]);
}

TEST_CASE("cpp-gtest: wrong, hanging and crashing cost their case; what a solution prints is its own") {
  const json answer = Cpp("cpp-gtest", kBad);
  CHECK(Tally(answer) == "passed 1, failed 4: failures 1, errors 1, pending 1, timeouts 1; correctness 0.2");
  CHECK(StatusOf(answer, "Small#Sum") == "failure: tests/sums.cc:5: Expected equality of these values: sum({}) Which is: 1 0");
  CHECK(StatusOf(answer, "More/0#Few/Sums") == "timeout: cut off after 1 s");
  CHECK(StatusOf(answer, "More/1#Few/Sums") == "error: the program ended before its test did: process exited due to signal 11 (SIGSEGV)");
  CHECK(CaseOf(answer, "Small#Sum")["stdout"] == "0\n1\n");
}

TEST_CASE("C++: what does not compile has the compiler's words") {
  for (const char* stack : {"cpp-catch2", "cpp-gtest"}) {
    const json answer = Cpp(stack, "int sum(const std::vector<int>&) { return x; }");
    CHECK(answer["success"] == true);
    CHECK(answer["result"]["compilation"]["compiling"] == false);
    CHECK(answer["result"]["compilation"]["output"].get<std::string>().find(
              "/box/solution/sum.cpp:2:43: error: ‘x’ was not declared in this scope") != std::string::npos);
    CHECK(answer["result"]["test"].is_null());
  }
}

TEST_CASE("C++: a solution that floods its output is an error, and the answer stays small") {
  const std::pair<const char*, std::pair<const char*, const char*>> stacks[] = {
      {"cpp-catch2", {"two", "a name is \"joined\"*"}}, {"cpp-gtest", {"Small#Sum", "Joined#Names"}}};
  for (const auto& [stack, ids] : stacks) {
    const json answer = Cpp(stack, "#include <iostream>\nint sum(const std::vector<int>&) { for (;;) std::cout << \"xxxxxxxxxxxxxxxxxxxxxxx\\n\"; }");
    INFO(stack);
    CHECK(StatusOf(answer, ids.first).find("error: output limit exceeded") == 0);
    CHECK(CaseOf(answer, ids.first)["stdout"].get<std::string>().size() < 70'000);
    CHECK(StatusOf(answer, ids.second) == "passed");
  }
}

TEST_CASE("C++: what a solution prints beyond what an answer shows is cut, and costs no case") {
  const FileTexts solution{{"twice.cpp", "#include \"twice.hpp\"\n#include <iostream>\nint twice(int x) { for (int i = 0; i < 100000; ++i) std::cout << \"ż\"; return x + x; }\n"}};
  const FileTexts include{{"twice.hpp", "int twice(int x);\n"}};
  for (const std::string split : {"false", "true"}) {
    INFO("split " << split);
    CheckLongOutput(EvaluatedSplit("cpp-catch2", solution, {{"t.cpp", "#include \"catch.hpp\"\n#include \"twice.hpp\"\nTEST_CASE(\"twice\") { CHECK(twice(2) == 4); }\n"}}, include, split), "twice");
    CheckLongOutput(EvaluatedSplit("cpp-gtest", solution, {{"t.cpp", "#include <gtest/gtest.h>\n#include \"twice.hpp\"\nTEST(Sum, Twice) { EXPECT_EQ(twice(2), 4); }\n"}}, include, split), "Twice#Sum");
  }
}

TEST_CASE("C++: a solution of headers alone is tested, too") {
  const json answer = Evaluated({.stack = "cpp",
                                 .solution = {{"twice.hpp", "#pragma once\ntemplate <typename T> T twice(T x) { return x + x; }\n"}},
                                 .tests = {{"t.cpp", "#include \"catch.hpp\"\n#include \"twice.hpp\"\nTEST_CASE(\"twice\") { CHECK(twice(2) == 4); CHECK(twice(0.5) == 2); }\n"}},
                                 .params = {{"coverage", "no"}}});
  CHECK(StatusOf(answer, "twice") == "failure: tests/t.cpp:3: CHECK( twice(0.5) == 2 ), with expansion: 1.0 == 2");
}

}  // namespace
}  // namespace tally
