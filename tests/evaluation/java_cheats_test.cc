// Solutions in Java that take a name which the tests mean otherwise, and others for which a request of their own is needed; the
// rest is in java_stack_test.cc. The wall is in stacks/support/java/tally: SolutionNames, Entrances, Guard.
#include <string>

#include "tests/support/catch.h"
#include "tests/support/evaluated.h"

namespace tally {
namespace {

using nlohmann::json;

json Tested(FileTexts solution, const std::string& test, const FileTexts& include = {}, const std::string& split = "false") {
  solution.emplace_back("de/One.java", "package de;\npublic class One { static int one() { return 2; } }\n");
  return Evaluated({.stack = "java",
                    .solution = solution,
                    .tests = {{"de/OneTest.java", "package de;\n" + test}},
                    .include = include,
                    .params = {{"case_timeout", "5"}, {"coverage", "no"}, {"split", split}}});
}

constexpr const char* kStar = "import org.junit.jupiter.api.*;\nclass OneTest { @Test void isOne() { Assertions.assertEquals(1, One.one()); } }\n";
constexpr const char* kWhole =
    "class OneTest { @org.junit.jupiter.api.Test void isOne() { org.junit.jupiter.api.Assertions.assertEquals(1, One.one()); } }\n";
constexpr const char* kOld = "import org.junit.*;\npublic class OneTest { @Test public void isOne() { Assert.assertEquals(1, One.one()); } }\n";
constexpr const char* kStatic = "import static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.Test;\n";

// A class of the solution, by which word of the tests it would be meant, and these.
struct Taken {
  const char* word;
  const char* text;
  std::string test;
};

const Taken kTaken[] = {
    {"Assertions", "class Assertions { static void assertEquals(int a, int b) { } }", kStar},
    {"Test", "@interface Test { }", kStar},
    {"org", "class org { static class junit { static class jupiter { static class api { @interface Test { } static class Assertions {\n"
            "static void assertEquals(int a, int b) { } } } } } }", kWhole},
    {"Assert", "class Assert { static void assertEquals(int a, int b) { } }", kOld},
    {"Math", "class Math { static int abs(int x) { return 2; } }",
     std::string(kStatic) + "class OneTest { @Test void isOne() { assertEquals(Math.abs(-1), One.one()); } }\n"},
    {"Integer", "class Integer { static final int MAX_VALUE = 2; }",
     std::string(kStatic) + "class OneTest { @Test void isOne() { assertEquals(Integer.MAX_VALUE, One.one()); } }\n"},
    {"List", "class List { static Object of(int x) { return x + 1; } }",
     std::string(kStatic) + "import java.util.*;\nclass OneTest { @Test void isOne() { assertEquals(List.of(1), One.one()); } }\n"},
    {"assertEquals", "class Base { static void assertEquals(int a, int b) { } }",
     std::string(kStatic) + "class OneTest extends Base { @Test void isOne() { assertEquals(1, One.one()); } }\n"},
    {"Assertions", "class Base { static class Assertions { static void assertEquals(int a, int b) { } } }",
     "import org.junit.jupiter.api.*;\nclass OneTest extends Base { @Test void isOne() { Assertions.assertEquals(1, One.one()); } }\n"},
};

TEST_CASE("java: a class of the solution that takes a name which the tests mean otherwise is refused") {
  const std::string split = GENERATE("false", "true");
  for (const Taken& taken : kTaken) {
    const json answer = Tested({{"de/Taken.java", std::string("package de;\n") + taken.text}}, taken.test, {}, split);
    INFO(taken.word << ": " << answer.dump(1));
    CHECK(answer["result"]["compilation"]["compiling"] == true);
    CHECK(StatusOf(answer, "tests") == "error: the tests do not build with the solution");
    CHECK(answer["result"]["test"]["output"].get<std::string>().find("the tests' \"" + std::string(taken.word) + "\" would be the solution's de.") !=
          std::string::npos);
  }
}

TEST_CASE("java: tests that mean the solution's class import it by its name, and what they do not mention nobody minds") {
  const json answer = Evaluated({.stack = "java",
                                 .solution = {{"de/Stack.java", "package de;\npublic class Stack { public int size() { return 1; } }\n"},
                                              {"de/Character.java", "package de;\nclass Character { }\n"},
                                              {"de/Math.java", "package de;\nclass Math { static int abs(int x) { return 7; } }\n"}},
                                 .tests = {{"de/StackTest.java",
                                            "package de;\nimport static org.junit.jupiter.api.Assertions.*;\nimport de.Stack;\nimport java.util.*;\n"
                                            "import org.junit.jupiter.api.*;\nclass StackTest {\n  @Test void hasOne() { assertEquals(1, new Stack().size()); }\n"
                                            "  @Test void knowsItsOwn() { assertEquals(3, Math.abs(-1)); }\n}\n"},
                                           {"de/Math.java", "package de;\nclass Math { static int abs(int x) { return 3; } }\n"}},
                                 .params = {{"coverage", "no"}}});
  INFO(answer.dump(1));
  CHECK(StatusOf(answer, "hasOne#de.StackTest") == "passed");
  CHECK(StatusOf(answer, "knowsItsOwn#de.StackTest") == "passed");
}

TEST_CASE("java: an include file that the tests use is theirs, also where the solution has a class of its name") {
  const std::string split = GENERATE("false", "true");
  const json answer = Tested({{"de/Expect.java", "package de;\nclass Expect { static void one(int is) { } }\n"}},
                             "import org.junit.jupiter.api.Test;\nclass OneTest { @Test void isOne() { Expect.one(One.one()); } }\n",
                             {{"de/Expect.java", "package de;\nclass Expect { static void one(int is) { org.junit.jupiter.api.Assertions.assertEquals(1, is); } }\n"}}, split);
  INFO(answer.dump(1));
  CHECK(StatusOf(answer, "isOne#de.OneTest") == "failure: expected: <1> but was: <2>");
}

// Each asks the test that calls it what would have been right.
constexpr const char* kAsks = R"(package de;

public class Asks {
    private static boolean asked;

    interface Call { void call() throws Throwable; }

    static int told(Call test) {
        if (asked) return -1;
        asked = true;
        try {
            test.call();
        } catch (Throwable thrown) {
            for (Throwable at = thrown; at != null; at = at.getCause()) {
                String text = String.valueOf(at.getMessage());
                if (text.contains("expected:")) return Integer.parseInt(text.replaceAll("(?s).*expected:<?\\s*<?(\\d+).*", "$1"));
            }
        } finally {
            asked = false;
        }
        return 0;
    }
    static int byLinking() { return told(() -> new AsksTest().byLinking()); }
    static int byReflection() {
        return told(() -> {
            Class<?> test = Class.forName("de.AsksTest");
            test.getDeclaredMethod("byReflection").invoke(test.getDeclaredConstructor().newInstance());
        });
    }
    static int inAThread() throws Exception {
        int[] result = {0};
        Thread thread = new Thread(() -> result[0] = told(() -> new AsksTest().inAThread()));
        thread.start();
        thread.join();
        return result[0];
    }
    static int inAPool() throws Exception {
        return java.util.concurrent.CompletableFuture.supplyAsync(() -> told(() -> new AsksTest().inAPool())).get();
    }
    static int byAHandle() {
        return told(() -> java.lang.invoke.MethodHandles.lookup().findVirtual(AsksTest.class, "byAHandle",
            java.lang.invoke.MethodType.methodType(void.class)).invoke(new AsksTest()));
    }
    static int ofTheOld() { return told(() -> new OldTest().ofTheOld()); }
    static int early() { return Kind.EARLY.opened ? 42 : 0; }

    public @interface Nothing { }
    @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
    public @interface Of { Kind value(); }
    public enum Kind {
        EARLY;
        boolean opened;
        Kind() {
            try {
                java.lang.reflect.Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
                field.setAccessible(true);
                opened = field.get(null) != null;
            } catch (Throwable thrown) {
                opened = false;
            }
        }
    }
}
)";

constexpr const char* kAsksTest = R"(package de;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.*;

class AsksTest {
    @Test void byLinking() { assertEquals(42, Asks.byLinking()); }
    @Test void byReflection() { assertEquals(42, Asks.byReflection()); }
    @Test void inAThread() throws Exception { assertEquals(42, Asks.inAThread()); }
    @Test void inAPool() throws Exception { assertEquals(42, Asks.inAPool()); }
    @Test void byAHandle() { assertEquals(42, Asks.byAHandle()); }
    @Test @Asks.Of(Asks.Kind.EARLY) void early() { assertEquals(42, Asks.early()); }
    @Test @Disabled void notToday() { }
    @Test void honest() { assertThrows(IllegalStateException.class, () -> { throw new IllegalStateException(); }); }
}
)";

TEST_CASE("java: a solution that calls the test which calls it is not told what was expected, nor does it run before the guard") {
  const std::string split = GENERATE("false", "true");
  const json answer = Evaluated({.stack = "java",
                                 .solution = {{"de/Asks.java", kAsks},
                                              {"de/AsksTest.java", "package de;\nclass AsksTest { void byLinking() { } void inAThread() { } void inAPool() { } }\n"},
                                              {"de/OldTest.java", "package de;\npublic class OldTest { public void ofTheOld() { } }\n"},
                                              {"junit-platform.properties", "junit.jupiter.conditions.deactivate=*\n"}},
                                 .tests = {{"de/AsksTest.java", kAsksTest},
                                           {"de/OldTest.java", "package de;\npublic class OldTest {\n    @org.junit.Test public void ofTheOld() {"
                                                               " org.junit.Assert.assertEquals(42, Asks.ofTheOld()); }\n}\n"}},
                                 .params = {{"case_timeout", "5"}, {"coverage", "no"}, {"split", split}}});
  INFO(answer.dump(1));
  for (const std::string name : {"byLinking", "byReflection", "inAThread", "inAPool", "byAHandle", "early"}) {
    if (name == "early" && split == "true") continue;  // in a process of its own it may open what it likes
    CHECK(StatusOf(answer, name + "#de.AsksTest") == "failure: expected: <42> but was: <0>");
  }
  CHECK(StatusOf(answer, "ofTheOld#de.OldTest") == "failure: expected:<42> but was:<0>");
  CHECK(StatusOf(answer, "notToday#de.AsksTest").rfind("pending", 0) == 0);
  CHECK(StatusOf(answer, "honest#de.AsksTest") == "passed");
}

}  // namespace
}  // namespace tally
