// Solutions in C++ that would rather pass than be right, under GoogleTest and Catch2. The wall is in stacks/support/native.
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/evaluated.h"
#include "tests/support/file_text.h"

namespace tally {
namespace {

using nlohmann::json;

json Cheated(const std::string& stack, const std::string& head, const std::string& test) {
  return Evaluated({.stack = stack,
                    .solution = {{"cheats.cc", FileText("evaluation/stacks/cpp_cheats.cc")}},
                    .tests = {{"cheats_test.cc", head + "#include \"cpp_cheats.h\"\n#define IT(name) " + test + "\nCHEATS(IT)\n"}},
                    .include = {{"cpp_cheats.h", FileText("evaluation/stacks/cpp_cheats.h")}},
                    .params = {{"case_timeout", "5"}, {"coverage", "no"}}});
}

void CheckThatNonePasses(const json& answer) {
  REQUIRE(answer["result"]["compilation"]["compiling"] == true);
  CHECK(answer["result"]["test"]["testcases"] == 22);
  CHECK(answer["result"]["test"]["passed"] == 0);
  for (const json& suite : answer["result"]["test"]["testsuite"]["suites"]) {
    for (const json& test : suite["cases"]) {
      INFO(test["id"] << ": " << StatusOf(answer, test["id"]));
      CHECK((test["status"] == "failure" || test["status"] == "error"));
    }
  }
}

const std::string kThrown = "error: something other than its framework threw an exception of the framework's type";
const std::string kLeft = "error: a function of the tests was left before its own end";

TEST_CASE("cpp-gtest: no cheat passes, and each costs its own case") {
  const json answer = Cheated("cpp-gtest", "#include <gtest/gtest.h>\n", "TEST(Cheats, name) { EXPECT_EQ(name(), 42); EXPECT_EQ(name(), 42); }");
  CheckThatNonePasses(answer);
  CHECK(StatusOf(answer, "ThrowsTheFrameworks#Cheats") == kThrown);
  CHECK(StatusOf(answer, "ThrowsWhatDerivesFromIt#Cheats") == kThrown);
  CHECK(StatusOf(answer, "UnwindsItsCaller#Cheats") == kLeft);
  CHECK(StatusOf(answer, "RepeatsNothing#Cheats").find("failure: tests/cheats_test.cc:4: Expected equality") == 0);
}

TEST_CASE("cpp-catch2: no cheat passes, and each costs its own case") {
  const json answer = Cheated("cpp-catch2", "#include <catch2/catch.hpp>\n",
                              "TEST_CASE(#name) { CHECK(2 == 2); int is = name(); CHECK(is == 42); is = name(); CHECK(is == 42); }");
  CheckThatNonePasses(answer);
  CHECK(StatusOf(answer, "ThrowsTheFrameworks") == kThrown);
  CHECK(StatusOf(answer, "ThrowsWhatDerivesFromIt") == kThrown);
  CHECK(StatusOf(answer, "UnwindsItsCaller") == kLeft);
}

}  // namespace
}  // namespace tally
