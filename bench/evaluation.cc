// What an evaluation costs over running the framework by hand, in CPU time of all its processes: `tally evaluate` and pytest on the
// same files, in turns, for few and for many cases, without coverage and with it; and a program in C with asserts beside gcc, a class of Java beside javac and JUnit's console. The goals are 1.3, and 1.2 for Java.
#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/temporary_directory.h"
#include "bench/cpu_group.h"
#include "bench/turns.h"

namespace tally {
namespace {

constexpr int kRounds = 15;
constexpr double kGoal = 1.3, kJavaGoal = 1.2;
constexpr const char* kPython = "/usr/bin/python3";

void WriteCases(const std::string& folder, int cases) {
  std::ofstream(folder + "/words.py") << "def add(a, b):\n    return a + b\n\n\ndef up(text):\n    return text.upper()\n";
  std::ofstream tests(folder + "/test_words.py");
  tests << "import words\n";
  for (int n = 0; n < cases; ++n) tests << fmt::format("\n\ndef test_{0}():\n    assert words.add({0}, 1) == {1}\n", n, n + 1);
}

std::vector<std::string> ByHand(bool coverage) {
  const std::string tests = " -m pytest -q -p no:cacheprovider test_words.py";
  if (!coverage) return {"/bin/sh", "-c", kPython + tests};
  return {"/bin/sh", "-c", fmt::format("{0} -m coverage run --branch --source=.{1} && {0} -m coverage xml -q -o /dev/null", kPython, tests)};
}

std::vector<std::string> ByTally(const std::string& bin, bool coverage) {
  std::vector<std::string> command{bin + "/tally", "evaluate", "--stack", "python-pytest", "--solution", "words.py", "--tests", "test_words.py"};
  if (!coverage) command.insert(command.end(), {"--param", "coverage=no"});
  return command;
}

// Of pairs that were measured one after the other.
void Compare(const std::string& name, const std::string& folder, const std::vector<std::string>& by_hand, const std::vector<std::string>& by_tally,
             double goal = kGoal) {
  CpuGroup group;
  std::vector<double> hand, tally, ratios;
  for (int round = 0; round < kRounds; ++round) {
    hand.push_back(group.Run(by_hand, folder));
    tally.push_back(group.Run(by_tally, folder));
    ratios.push_back(tally.back() / hand.back());
  }
  const double median = Percentile(ratios, 0.5);
  fmt::print("{:<26} {:>8.0f} {:>8.0f} {:>7.2f} {:>7.2f} {:>7.2f}   <= {:.1f}: {}\n", name, Percentile(hand, 0.5), Percentile(tally, 0.5), median,
             Percentile(ratios, 0.1), Percentile(ratios, 0.9), goal, median <= goal ? "met" : "MISSED");
}

void ComparePython(const std::string& bin, int cases, bool coverage) {
  const TemporaryDirectory folder;
  WriteCases(folder.path(), cases);
  Compare(fmt::format("{:>5} cases{}", cases, coverage ? ", with coverage" : ""), folder.path(), ByHand(coverage), ByTally(bin, coverage));
}

void CompareC(const std::string& bin) {
  const TemporaryDirectory folder;
  std::ofstream(folder.path() + "/leap.c") << "int is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }\n";
  std::ofstream(folder.path() + "/leap_test.c") << "#include <assert.h>\nint is_leap(int year);\nint main(void) {\n  assert(is_leap(2024));\n  assert(!is_leap(1900));\n  return 0;\n}\n";
  Compare("    1 program in C", folder.path(), {"/bin/sh", "-c", "gcc -std=gnu17 -g -O1 -Wall -Wextra -o test leap.c leap_test.c && ./test"},
          {bin + "/tally", "evaluate", "--stack", "c-assert", "--solution", "leap.c", "--tests", "leap_test.c", "--param", "coverage=no"});
}

void CompareJava(const std::string& bin) {
  const TemporaryDirectory folder;
  std::ofstream(folder.path() + "/Leap.java") << "public class Leap {\n  static boolean is(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }\n}\n";
  std::ofstream(folder.path() + "/LeapTest.java") << "import static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.Test;\nclass LeapTest {\n"
                                                  << "  @Test void often() { assertTrue(Leap.is(2024)); }\n  @Test void seldom() { assertFalse(Leap.is(1900)); }\n}\n";
  std::string jars = "classes";
  for (const char* jar : {"junit-jupiter-api", "junit-jupiter-engine", "junit-platform-commons", "junit-platform-console", "junit-platform-engine",
                          "junit-platform-launcher", "junit-platform-reporting", "opentest4j", "apiguardian-api", "picocli"}) {
    jars += fmt::format(":/usr/share/java/{}.jar", jar);
  }
  Compare("    1 class in Java", folder.path(),
          {"/bin/sh", "-c", fmt::format("javac -cp {0} -d classes Leap.java LeapTest.java && java -cp {0} org.junit.platform.console.ConsoleLauncher --scan-classpath=classes", jars)},
          {bin + "/tally", "evaluate", "--stack", "java", "--solution", "Leap.java", "--tests", "LeapTest.java", "--param", "coverage=no"}, kJavaGoal);
}

int Main() {
  const std::string bin = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  fmt::print("{:<26} {:>8} {:>8} {:>7} {:>7} {:>7}   goal\n", "CPU ms, medians", "by hand", "tally", "ratio", "p10", "p90");
  for (const bool coverage : {false, true}) {
    for (const int cases : {3, 50}) ComparePython(bin, cases, coverage);
  }
  CompareC(bin);
  CompareJava(bin);
  return 0;
}

}  // namespace
}  // namespace tally

int main() {
  try {
    return tally::Main();
  } catch (const std::exception& error) {
    fmt::print(stderr, "evaluation: {}\n", error.what());
    return 2;
  }
}
