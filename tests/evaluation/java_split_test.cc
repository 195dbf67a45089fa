// The stack of Java with params.split: tests and solution are two processes. What an honest solution may be made of, what a dishonest one may
// try, and how either ends. Solutions that take a name of the tests' are refused so, too (java_cheats_test.cc).
#include <regex>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/evaluated.h"
#include "tests/support/file_text.h"

namespace tally {
namespace {

using nlohmann::json;

std::string Text(const std::string& file) { return FileText("evaluation/stacks/java_split/" + file); }

TEST_CASE("java, split: values, classes, errors, files, streams and functions of the tests are as they are in one process") {
  FileTexts include = {{"data.txt", "given\n"}};
  for (const std::string name : {"Node", "Pair", "Shape", "Level", "TooMuch"}) include.emplace_back("shop/" + name + ".java", Text("given_" + name + ".java"));
  for (const std::string split : {"true", "false"}) {
    const json answer = EvaluatedSplit("java", {{"shop/Shop.java", Text("Shop.java")}}, {{"shop/ShopTest.java", Text("ShopTest.java")}}, include, split);
    INFO(answer.dump(1));
    CHECK(answer["result"]["test"]["isolation"] == (split == "true" ? "separate-processes" : "shared-process"));
    CHECK(Tally(answer) == "passed 19, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
  }
}

// Those that need nothing are called by a case each.
std::string CheatCases(const std::string& cheats) {
  const std::regex function("    static (?:int|Object) (\\w+)\\(\\) ");
  std::string cases;
  for (std::sregex_iterator one(cheats.begin(), cheats.end(), function), end; one != end; ++one) {
    const std::string name = (*one)[1];
    if (name == "another" || name == "agrees" || name == "writesFiles" || name == "diesSoon") continue;
    cases += "    @Test void " + name + "() throws Exception { is42(Cheats." + name + "()); }\n";
  }
  return cases;
}

TEST_CASE("java, split: no cheat passes, and each costs its own case only") {
  const std::string cheats = Text("Cheats.java");
  std::string tests = Text("CheatsTest.java");
  tests.replace(tests.find("//CASES\n"), 8, CheatCases(cheats));
  const json answer = EvaluatedSplit("java", {{"Cheats.java", cheats}, {"org/opentest4j/TestAbortedException.java", "package org.opentest4j;\npublic class TestAbortedException extends RuntimeException { }\n"}},
                            {{"CheatsTest.java", tests}, {"answer.txt", "42"}});
  CHECK(CheckedCheats(answer, "honest") > 85);
  const auto status = [&](const std::string& name) { return StatusOf(answer, name + "#CheatsTest"); };
  CHECK(status("agreesInAList") == "failure: expected: <[42]> but was: <[]>");
  CHECK(status("exitsAndIsExpected") == std::string(kSolutionEnded) + " (exit status 0)");
  CHECK(status("aTextIsExpected") == std::string(kSolutionSaidNoAnswer) + "a value of another class than int)");
  CHECK(status("executable") == std::string(kSolutionSaidNoAnswer) + "the class org.junit.jupiter.api.function.Executable)");
  CHECK(status("asksTheTest") == std::string(kSolutionSaidNoAnswer) + "the class CheatsTest)");
  CHECK(status("asksAText") == std::string(kSolutionSaidNoAnswer) + "a question to what was not given)");
  CHECK(status("crashes") == std::string(kSolutionEnded) + ": process exited due to signal 6 (SIGABRT) (RE)");
  CHECK(status("floods") == "error: output limit exceeded");
  CHECK(status("hangs") == "timeout: cut off after 3 s");
  CHECK(status("interrupted") == "error: the tests broke off before the solution answered");
  CHECK(status("eats") == "error: java.lang.OutOfMemoryError: Java heap space");
}

TEST_CASE("java, split: what cannot cross is one sentence, and how a solution's process ended does not concern the next case") {
  const std::string solution = R"(import java.util.*;
public class Sol {
    public static abstract class Base { protected abstract int n(); public int twice() { return 2 * n(); } }
    private static int calls;
    static int roll(Random random) { return random.nextInt(6); }
    static int count() { System.out.println("counting"); return ++calls; }
    static int length(String text) { return text.length(); }
    static String much() { return "x".repeat(40_000_000); }
    static void exit() { System.exit(3); }
    static Sol made() { return new Sol(); }
    int value = 7;
}
)";
  const std::string tests = R"(import static org.junit.jupiter.api.Assertions.*;
import java.util.*;
import org.junit.jupiter.api.*;
@TestMethodOrder(MethodOrderer.MethodName.class)
class SolTest {
    private static Sol kept;
    @Test void aRolls() { assertTrue(Sol.roll(new Random(1)) < 6); }
    @Test void bDerives() { assertEquals(4, new Sol.Base() { @Override protected int n() { return 2; } }.twice()); }
    @Test void cGivesMuch() { assertEquals(40_000_000, Sol.length("x".repeat(40_000_000))); }
    @Test void dGetsMuch() { assertEquals(40_000_000, Sol.much().length()); }
    @Test void eCounts() { assertEquals(1, Sol.count()); kept = Sol.made(); }
    @Test void fCountsOn() { assertEquals(2, Sol.count()); assertEquals(7, kept.value); }
    @Test void gExits() { Sol.exit(); }
    @Test void hCountsAnew() { assertEquals(1, Sol.count()); }
    @Test void iHasOneThatIsGone() { assertEquals(7, kept.value); }
    @Test void jLooksForAField() throws Exception { Sol.class.getDeclaredField("value"); }
}
)";
  const json answer = EvaluatedSplit("java", {{"Sol.java", solution}}, {{"SolTest.java", tests}});
  INFO(answer.dump(1));
  const auto status = [&](const std::string& name) { return StatusOf(answer, name + "#SolTest"); };
  CHECK(status("aRolls") ==
        "error: java.lang.IllegalArgumentException: with params.split an object of the class java.util.Random cannot be given to the solution as a java.util.Random");
  CHECK(status("bDerives") ==
        "error: java.lang.UnsupportedOperationException: with params.split a class of the tests cannot derive from Sol$Base, a class of the solution");
  const std::string much = "with params.split no more than 32 MiB go at once between tests and solution";
  CHECK(status("cGivesMuch").find(much) != std::string::npos);
  CHECK(status("dGetsMuch").find(much) != std::string::npos);
  CHECK(status("eCounts") == "passed");
  CHECK(CaseOf(answer, "eCounts#SolTest")["stdout"] == "counting\n");
  CHECK(status("fCountsOn") == "passed");
  CHECK(status("gExits") == std::string(kSolutionEnded) + " (exit status 3)");
  CHECK(status("hCountsAnew") == "passed");
  CHECK(status("iHasOneThatIsGone") == "error: java.lang.IllegalStateException: an object of a solution's process that has ended");
  CHECK(status("jLooksForAField") == "error: java.lang.NoSuchFieldException: value");
}

TEST_CASE("java, split: coverage is what the solution's process has executed") {
  const FileTexts solution = {{"de/Sign.java", "package de;\n\npublic class Sign {\n    public static int of(int n) {\n        if (n < 0) {\n            return -1;\n"
                                               "        }\n        return 1;\n    }\n    public static void exit() {\n        System.exit(0);\n    }\n}\n"}};
  const FileTexts tests = {{"de/SignTest.java", "package de;\nimport org.junit.jupiter.api.*;\nclass SignTest {\n    @Test void a() { Assertions.assertEquals(1, Sign.of(2)); }\n"
                                                "    @Test void b() { Sign.exit(); }\n    @Test void c() { Assertions.assertEquals(1, Sign.of(3)); }\n}\n"}};
  const json answer = EvaluatedSplit("java", solution, tests, {}, "true", "yes");
  INFO(answer.dump(1));
  CHECK(Tally(answer) == "passed 2, failed 1: failures 0, errors 1, pending 0, timeouts 0; correctness 0.667");
  const json& coverage = answer["result"]["test"]["coverage"];
  REQUIRE(coverage.is_object());
  CHECK(coverage["tool"] == "JaCoCo");
  CHECK(coverage["branches"] == json{{"covered", 1}, {"total", 2}});
  CHECK(coverage["files"][0]["path"] == "de/Sign.java");
  CHECK(coverage["files"][0]["missed_lines"] == json::array({3, 6, 11, 12}));
}

}  // namespace
}  // namespace tally
