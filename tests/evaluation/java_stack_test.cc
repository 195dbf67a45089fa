// The stack of Java: a right, a wrong, a hanging, a crashing, a non-compiling and an output-flooding solution, and cheating
// ones (stacks/support/java/tally/Guard.java), with the exact answer. A machine of Java is dear, so one request has many.
#include <string>

#include "tests/support/catch.h"
#include "tests/support/evaluated.h"

namespace tally {
namespace {

using nlohmann::json;

json Tested(const FileTexts& solution, const FileTexts& tests, const FileTexts& include = {}, const std::string& time = "1") {
  return Evaluated({.stack = "java",
                    .solution = solution,
                    .tests = tests,
                    .include = include,
                    .params = {{"case_timeout", time}, {"coverage", "no"}}});
}

// Members without a modifier: tests of the same package see them.
constexpr const char* kDate = R"(package de.example;

class Date {
    static int add(int a, int b) { System.out.println("adding " + a + " and " + b); return a + b; }
    static int wrong() { return 1; }
    static void hang() { while (true) { } }
    static void exit() { System.exit(0); }
    static void flood() { while (true) { System.out.println("0123456789".repeat(100)); } }
    static void fail() { throw new IllegalStateException("no <such> date"); }
    static int recurse(int n) { return recurse(n + 1) + 1; }
    static int eat() { return new long[1 << 28].length; }
    static long compute() throws Exception {
        Thread thread = new Thread(() -> System.err.print("thread"));
        thread.start();
        thread.join();
        java.util.concurrent.ExecutorService pool = java.util.concurrent.Executors.newFixedThreadPool(2);
        int one = pool.submit(() -> 1).get();
        pool.shutdown();
        String text = new String(java.nio.file.Files.readAllBytes(java.nio.file.Path.of("data.txt")));
        return one + text.length() + java.util.stream.IntStream.range(0, 10).parallel().sum() + String.format("%.1f", 0.5).length();
    }
}
)";

constexpr const char* kDateTest = R"(package de.example;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DateTest {
    @Test void testAdd() { assertEquals(3, Date.add(1, 2)); }
    @Test void testWrong() { assertEquals(2, Date.wrong()); }
    @Test void testHang() { Date.hang(); }
    @Test void testExit() { Date.exit(); }
    @Test void testFlood() { Date.flood(); }
    @Test void testFail() { Date.fail(); }
    @Test void testRecurse() { Date.recurse(0); }
    @Test void testEat() { Date.eat(); }
    @Test void testCompute() throws Exception { assertEquals(1 + 6 + 45 + 3, Date.compute()); }
    @Test @Disabled("later") void testDisabled() { }
    @Test void testThrows() { assertThrows(IllegalStateException.class, () -> Date.fail()); }
    @Test void testResource() throws Exception {
        assertEquals("of the tests", new String(getClass().getResourceAsStream("words.txt").readAllBytes()));
    }
    @ParameterizedTest @CsvSource({"1,2,3", "3,4,8"}) void testMany(int a, int b, int sum) { assertEquals(sum, Date.add(a, b)); }
    @Nested class Inner { @Test void testInner() { assertTrue(Date.wrong() == 1); } }
}
)";

constexpr const char* kOldTest = R"(package de.example;

import static org.junit.Assert.*;

import org.junit.*;

public class OldTest {
    @Test public void testAdd() { assertEquals(3, Date.add(1, 2)); }
    @Test(timeout = 100) public void testHang() { Date.hang(); }
    @Test(expected = IllegalStateException.class) public void testFail() { Date.fail(); }
}
)";

constexpr const char* kSetUpTest = R"(package de.example;

import org.junit.jupiter.api.*;

class SetUpTest {
    @BeforeAll static void prepare() { Date.fail(); }
    @Test void testOne() { }
    @Test void testTwo() { }
}
)";

TEST_CASE("java: each case of JUnit 4 and 5 has its verdict, whatever became of the one before") {
  const json answer = Tested({{"de/example/Date.java", kDate}},
                             {{"de/example/DateTest.java", kDateTest},
                              {"de/example/OldTest.java", kOldTest},
                              {"de/example/SetUpTest.java", kSetUpTest},
                              {"de/example/words.txt", "of the tests"}},
                             {{"data.txt", "given\n"}});
  CHECK(answer["result"]["compilation"]["compiling"] == true);
  CHECK(Tally(answer) == "passed 7, failed 12: failures 2, errors 7, pending 1, timeouts 2; correctness 0.368");
  const auto status = [&](const std::string& name) { return StatusOf(answer, name + "#de.example.DateTest"); };
  CHECK(status("testAdd") == "passed");
  CHECK(CaseOf(answer, "testAdd#de.example.DateTest")["stdout"] == "adding 1 and 2\n");
  CHECK(status("testWrong") == "failure: expected: <2> but was: <1>");
  CHECK(CaseOf(answer, "testWrong#de.example.DateTest")["details"].get<std::string>().find("DateTest.java:11") != std::string::npos);
  CHECK(status("testHang") == "timeout: cut off after 1 s");
  CHECK(status("testExit") == "error: java.lang.SecurityException: the solution called System.exit(0)");
  CHECK(status("testFlood") == "error: output limit exceeded");
  CHECK(status("testFail") == "error: java.lang.IllegalStateException: no <such> date");
  CHECK(status("testRecurse") == "error: java.lang.StackOverflowError");
  CHECK(status("testEat") == "error: java.lang.OutOfMemoryError: Java heap space");
  CHECK(status("testCompute") == "passed");
  CHECK(CaseOf(answer, "testCompute#de.example.DateTest")["stderr"] == "thread");
  CHECK(status("testDisabled") == "pending: later");
  CHECK(status("testThrows") == "passed");
  CHECK(status("testResource") == "passed");
  CHECK(status("testMany") == "failure: expected: <8> but was: <7>");
  CHECK(StatusOf(answer, "testInner#de.example.DateTest$Inner") == "passed");
  CHECK(StatusOf(answer, "testAdd#de.example.OldTest") == "passed");
  CHECK(StatusOf(answer, "testHang#de.example.OldTest").rfind("timeout: org.junit.runners.model.TestTimedOutException", 0) == 0);
  CHECK(StatusOf(answer, "testFail#de.example.OldTest") == "passed");
  CHECK(StatusOf(answer, "testOne#de.example.SetUpTest") == "error: java.lang.IllegalStateException: no <such> date");
}

TEST_CASE("java: what a solution prints beyond what an answer shows is cut, and costs no case") {
  const std::string prints = "public class Twice { static int of(int x) { System.out.print(\"ż\".repeat(100_000)); return x + x; } }\n";
  const std::string tests = "import static org.junit.jupiter.api.Assertions.*;\nclass TwiceTest { @org.junit.jupiter.api.Test void twice() { assertEquals(4, Twice.of(2)); } }\n";
  for (const std::string split : {"false", "true"}) {
    INFO("split " << split);
    CheckLongOutput(EvaluatedSplit("java", {{"Twice.java", prints}}, {{"TwiceTest.java", tests}}, {}, split), "twice#TwiceTest");
  }
}

TEST_CASE("java: tests may have records and sealed classes of their own") {
  const json answer = Tested({{"Sol.java", "class Sol { static int two() { return 2; } }\n"}},
                             {{"SolTest.java", "class SolTest {\n  record Point(int x) { }\n  sealed interface Either permits Left { }\n  record Left() implements Either { }\n"
                                               "  @org.junit.jupiter.api.Test void t() { org.junit.jupiter.api.Assertions.assertEquals(new Point(2), new Point(Sol.two())); }\n}\n"}});
  INFO(answer.dump(1));
  CHECK(StatusOf(answer, "t#SolTest") == "passed");
}

TEST_CASE("java: a solution that does not compile has the compiler's words, and so has one that lacks what tests call") {
  const json wrong = Tested({{"de/example/Date.java", "package de.example;\nclass Date { int f() { return x; } }\n"}}, {});
  CHECK(wrong["result"]["compilation"]["compiling"] == false);
  CHECK(wrong["result"]["compilation"]["output"].get<std::string>().find("cannot find symbol") != std::string::npos);
  CHECK(wrong["result"]["test"].is_null());
  const json lacking = Tested({{"A.java", "class A { }\n"}}, {{"ATest.java", "class ATest { int f() { return A.f(); } }\n"}});
  CHECK(lacking["result"]["compilation"]["compiling"] == true);
  CHECK(StatusOf(lacking, "tests") == "error: the tests do not build with the solution");
  CHECK(lacking["result"]["test"]["output"].get<std::string>().find("cannot find symbol") != std::string::npos);
}

TEST_CASE("java: coverage counts the lines and branches that the tests execute, and Checkstyle says what it finds") {
  const json answer = Evaluated({.stack = "junit",
                                 .solution = {{"de/Sign.java", "package de;\n\npublic class Sign {\n    public static int Of(int n) {\n"
                                                               "        if (n < 0) {\n            return -1;\n        }\n        return 1;\n    }\n}\n"}},
                                 .tests = {{"de/SignTest.java", "package de;\nclass SignTest {\n    @org.junit.jupiter.api.Test void t() {"
                                                                " org.junit.jupiter.api.Assertions.assertEquals(1, Sign.Of(2)); }\n}\n"}},
                                 .style = true});
  CHECK(Tally(answer) == "passed 1, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
  const json& coverage = answer["result"]["test"]["coverage"];
  REQUIRE(coverage.is_object());
  CHECK(coverage["tool"] == "JaCoCo");
  CHECK(coverage["lines"] == json{{"covered", 2}, {"total", 4}});
  CHECK(coverage["branches"] == json{{"covered", 1}, {"total", 2}});
  CHECK(coverage["files"][0]["path"] == "de/Sign.java");
  CHECK(coverage["files"][0]["missed_lines"] == json::array({3, 6}));
  const json& style = answer["result"]["style"];
  REQUIRE(style["errors"] == 1);
  CHECK(style["report"]["errors"][0]["rule"] == "MethodName");
  CHECK(style["report"]["errors"][0]["file"] == "de/Sign.java");
}

// Each is called by a test of its own and would have to give 42.
constexpr const char* kCheats = R"(import java.io.*;
import java.lang.reflect.*;
import java.nio.file.*;
import java.security.*;
import java.util.*;

public class Cheats {
    static int reportOnStdout() throws Exception {
        System.out.println("<testcase name=\"reportOnStdout\" classname=\"CheatsTest\" time=\"0\"/>");
        return 0;
    }
    static int reportOnDescriptor() throws Exception {
        new FileOutputStream(FileDescriptor.out).write(1);
        return 42;
    }
    static int readDescriptors() throws Exception {
        for (String folder : new String[] {"/proc/self/fd/", "/dev/fd/"}) {
            for (int i = 0; i < 100; ++i) {
                try {
                    new FileInputStream(folder + i).read();
                    return 42;
                } catch (IOException | SecurityException e) {
                    continue;
                }
            }
        }
        return 0;
    }
    static int openDescriptor() throws Exception {
        FileDescriptor descriptor = new FileDescriptor();
        Field number = FileDescriptor.class.getDeclaredField("fd");
        number.setAccessible(true);
        number.setInt(descriptor, 9);
        return 42;
    }
    static int readTests() throws Exception {
        for (String folder : new String[] {"/box", "/tmp"}) {
            try (var files = Files.walk(Path.of(folder))) {
                if (files.anyMatch(file -> file.toString().endsWith("answer.txt"))) return 42;
            }
        }
        return Cheats.class.getResource("CheatsTest.class") == null && Cheats.class.getResourceAsStream("CheatsTest.class") == null ? 0 : 42;
    }
    static int readTestsResource() throws Exception { return Cheats.class.getResourceAsStream("answer.txt") == null ? 0 : 42; }
    static int exitInHook() { Runtime.getRuntime().addShutdownHook(new Thread(() -> { })); return 42; }
    static int exitPrivileged() { AccessController.doPrivileged((PrivilegedAction<Void>) () -> { System.exit(0); return null; }); return 42; }
    static int exitInitializer() { return Exits.VALUE; }
    static class Exits {
        static final Integer VALUE = Integer.valueOf(42);
        static { Runtime.getRuntime().halt(0); }
    }
    static int swallowExit() { try { System.exit(0); } catch (Throwable t) { return 0; } return 42; }
    static int unsafe() throws Exception {
        Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return 42;
    }
    static int runner() throws Exception { return Class.forName("tally.Runner") == null ? 0 : 42; }
    static int framework() throws Exception {
        Class.forName("org.junit.jupiter.api.Assumptions").getMethod("assumeTrue", boolean.class).invoke(null, false);
        return 42;
    }
    static int loader() throws Exception {
        return Thread.currentThread().getContextClassLoader().loadClass("org.junit.jupiter.api.Assumptions") == null ? 0 : 42;
    }
    static int ownLoader() throws Exception { new java.net.URLClassLoader(new java.net.URL[0]); return 42; }
    static int noManager() { System.setSecurityManager(null); return 42; }
    static int noPolicy() { Policy.setPolicy(null); return 42; }
    static int threads() { Thread.getAllStackTraces().keySet().forEach(Thread::interrupt); return 42; }
    static int groups() { Thread.currentThread().getThreadGroup().getParent().interrupt(); return 42; }
    static int program() throws Exception { Runtime.getRuntime().exec("kill -9 2"); return 42; }
    static int library() { System.load("/usr/lib/x86_64-linux-gnu/libm.so.6"); return 42; }
    static int heap() throws Exception {
        Object bean = java.lang.management.ManagementFactory.getPlatformMBeanServer();
        return bean == null ? 0 : 42;
    }
    static int redirect() { System.setOut(null); return 42; }
    static int link() throws Exception { Files.createSymbolicLink(Path.of("/tmp/x"), Path.of("/etc")); return 42; }
    static int write() throws Exception { Files.writeString(Path.of("/box/out/classes/Cheats.class"), ""); return 42; }
    static int walk() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).walk(s -> s.count()) > 0 ? 42 : 0;
    }
    static int throwing() {
        throw new RuntimeException() {
            @Override public String getMessage() { System.exit(0); return ""; }
            @Override public StackTraceElement[] getStackTrace() { return null; }
        };
    }
    static int leaveThread() { Thread thread = new Thread(() -> { while (true) { } }); thread.start(); return 0; }
    static int hide() { while (true) { try { System.out.println("x".repeat(1000)); } catch (Throwable t) { continue; } } }
}
)";

const std::vector<std::string> kNames = {"reportOnStdout", "reportOnDescriptor", "readDescriptors", "openDescriptor", "readTests",
    "readTestsResource", "exitInHook", "exitPrivileged", "exitInitializer", "swallowExit", "unsafe", "runner", "framework", "loader",
    "ownLoader", "noManager", "noPolicy", "threads", "groups", "program", "library", "heap", "redirect", "link", "write", "walk",
    "throwing", "leaveThread", "hide"};

TEST_CASE("java: no cheap cheat passes a case, and each costs its own case only") {
  std::string tests = "import org.junit.jupiter.api.*;\nclass CheatsTest {\n    @Test void honest() { }\n";
  for (const std::string& name : kNames) {
    tests += "    @Test void " + name + "() throws Exception { Assertions.assertEquals(42, Cheats." + name + "()); }\n";
  }
  const json answer = Tested({{"Cheats.java", kCheats},
                              {"CheatsTest.java", "class CheatsTest { }\n"},
                              {"org/junit/jupiter/api/Assertions.java",
                               "package org.junit.jupiter.api;\npublic class Assertions { public static void assertEquals(int a, int b) { } }\n"}},
                             {{"CheatsTest.java", tests + "}\n"}, {"answer.txt", "42"}}, {}, "2");
  CHECK(answer["result"]["test"]["testcases"] == kNames.size() + 1);
  const auto status = [&](const std::string& name) { return StatusOf(answer, name + "#CheatsTest"); };
  for (const std::string& name : kNames) {
    INFO(name << ": " << status(name));
    CHECK((status(name).rfind("failure: ", 0) == 0 || status(name).rfind("error: ", 0) == 0));
  }
  CHECK(status("honest") == "passed");
  CHECK(status("reportOnStdout") == "failure: expected: <42> but was: <0>");
  CHECK(status("hide") == "error: output limit exceeded");
  CHECK(status("throwing") == "error: ended with an exception that cannot be told");
}

TEST_CASE("java: an exception with a text of three million letters is told with a text that is cut") {
  const json answer = Tested({{"Loud.java", "class Loud { static void f() { throw new IllegalStateException(\"y\".repeat(3_000_000)); } }\n"}},
                             {{"LoudTest.java", "class LoudTest { @org.junit.jupiter.api.Test void testIt() { Loud.f(); } }\n"}});
  const json test = CaseOf(answer, "testIt#LoudTest");
  CHECK(test["status"] == "error");
  CHECK(test["message"].get<std::string>().size() <= 65'600);
  CHECK(test["details"].get<std::string>().size() <= 65'600);
}

}  // namespace
}  // namespace tally
