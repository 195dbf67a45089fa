// The stacks of Python with params.split: tests and solution are two processes. What an honest solution may be made of, what a
// dishonest one may try, and how either ends. The cheats against a process that both share are run so, too (python_cheats_test.cc).
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdlib>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/evaluated.h"
#include "tests/support/file_text.h"
#include "tests/support/scoped_variable.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

using nlohmann::json;

std::string Stack(const std::string& file) { return FileText("evaluation/stacks/" + file); }

TEST_CASE("python, split: values, classes, errors, files, output and functions of the tests are as they are in one process") {
  const FileTexts solution = {{"split_honest.py", Stack("split_honest.py")},
                              {"shop/__init__.py", "from .calendar import days\nfrom shop import queue\n"},
                              {"shop/calendar.py", "import calendar\ndays = calendar.monthrange(2024, 2)[1]\n"},
                              {"shop/queue/__init__.py", ""},
                              {"shop/queue/first.py", "FIRST = 1\n"}};
  for (const std::string split : {"true", "false"}) {
    // Each question to the solution's process waits for two turns of the processor, of which a busy machine has few.
    const json answer = Evaluated({.stack = "python",
                                   .solution = solution,
                                   .tests = {{"test_split_honest.py", Stack("test_split_honest.py")}},
                                   .include = {{"given.py", Stack("given.py")}},
                                   .params = {{"case_timeout", "30"}, {"coverage", "no"}, {"split", split}}});
    INFO(answer.dump(1));
    CHECK(answer["result"]["test"]["isolation"] == (split == "true" ? "separate-processes" : "shared-process"));
    CHECK(Tally(answer) == "passed 70, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
  }
}

TEST_CASE("python, split: no cheat passes, and each costs its own case only") {
  const std::string star = "import unittest\nimport pytest\ndef check(value):\n    assert value == 42\nfrom split_cheats import *\n\n"
                           "def test_star_length():\n    assert len([1]) == 42\n\n"
                           "def test_star_check():\n    check(starred())\n\n"
                           "def test_star_raises():\n    with pytest.raises(ValueError):\n        starred()\n\n"
                           "def test_star_near():\n    assert abs(near() - 42) < 1e-9\n\n"
                           "def test_star_near_by_name():\n    assert unittest.IsolatedAsyncioTestCase and abs(near_by_name() - 42) < 1e-9\n";
  const json answer = EvaluatedSplit("python", {{"split_cheats.py", Stack("split_cheats.py")}}, {{"test_split_cheats.py", Stack("test_split_cheats.py")}, {"test_star.py", star}},
                            {{"given.py", "import functools\nANSWER = 41\nclass Box:\n    def is_right(self):\n        return False\n"
                                           "    @functools.cached_property\n    def computed(self):\n        return False\n"}, {"expected.txt", "41"}, {"secret.txt", "42\n"}});
  CHECK(CheckedCheats(answer, "test_honest") > 90);
  const auto status = [&](const std::string& name) { return StatusOf(answer, "test_" + name + "#test_split_cheats"); };
  CHECK(status("equal_number") == "failure: assert 0 == 42");
  CHECK(status("swallowed_assertion") == "failure: assert 0 == 42");
  CHECK(status("skip") == "failure: unittest.case.SkipTest: not today");
  CHECK(status("died_and_caught") == std::string(kSolutionEnded) + " (exit status 0)");
  CHECK(status("value[['builtin', 'eval']]") == "error: the solution's process said what is no answer (KeyError: 'eval')");
  CHECK(status("eat") == std::string(kSolutionEnded) + ": memory limit exceeded: more than 512 MiB (MLE)");
  CHECK(status("hang") == "timeout: cut off after 3 s");
}

TEST_CASE("python, split: messages that no honest solution's process writes are refused, and make nothing") {
  const std::string root = TALLY_SOURCE_DIR;
  CHECK(std::system(fmt::format("/usr/bin/python3 -I -B {0}/tests/evaluation/stacks/refused_messages.py {0}/stacks/support/python", root).c_str()) == 0);  // NOLINT
}

TEST_CASE("python, split: how a solution's process ended is said, and the next case has another one") {
  const std::string solution = R"(import os
import threading
import time

def add(a, b):
    print("adding", a, "and", b)
    return a + b

def leave():
    os._exit(3)

def crash():
    os.abort()

def flood(pause=0):
    while True:
        print("x" * 1000)
        time.sleep(pause)

def fail():
    raise ValueError("no such date")

def die_soon():
    threading.Thread(target=lambda: (time.sleep(0.1), os._exit(4))).start()

def count(calls=[]):
    calls.append(1)
    return len(calls)
)";
  const std::string tests = R"(import signal
import time
import unittest
import solution

class SolutionTest(unittest.TestCase):
    def test_a_leaves(self):
        solution.leave()

    def test_b_crashes(self):
        try:
            solution.crash()
        except BaseException:
            pass

    def test_c_floods(self):
        solution.flood()

    def test_d_fails(self):
        solution.fail()

    def test_e_asks_a_dead_one_at_length(self):
        solution.die_soon()
        time.sleep(0.3)
        solution.add("x" * 1_000_000, "")

    def test_e_breaks_off(self):
        signal.signal(signal.SIGALRM, lambda *_: [][0])
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with self.assertRaises(IndexError):
            solution.flood(1)

    def test_e_counts(self):
        self.assertEqual(solution.count(), 1)

    def test_f_counts_anew(self):
        self.assertEqual(solution.count(), 1)

    def test_g_adds(self):
        self.assertEqual(solution.add(20, 22), 42)
)";
  for (const std::string stack : {"python-pytest", "python-unittest"}) {
    const json answer = EvaluatedSplit(stack, {{"solution.py", solution}}, {{"test_solution.py", tests}});
    const auto status = [&](const std::string& name) { return StatusOf(answer, "test_" + name + "#test_solution.SolutionTest"); };
    CHECK(Tally(answer) == "passed 3, failed 6: failures 1, errors 5, pending 0, timeouts 0; correctness 0.333");
    CHECK(status("a_leaves") == std::string(kSolutionEnded) + " (exit status 3)");
    CHECK(status("b_crashes") == std::string(kSolutionEnded) + ": process exited due to signal 6 (SIGABRT) (RE)");
    CHECK(status("e_asks_a_dead_one_at_length") == std::string(kSolutionEnded) + " (exit status 4)");
    CHECK(status("e_breaks_off") == "error: the tests broke off before the solution answered");
    CHECK(status("c_floods") == "error: output limit exceeded");
    const json fails = CaseOf(answer, "test_d_fails#test_solution.SolutionTest"), adds = CaseOf(answer, "test_g_adds#test_solution.SolutionTest");
    CHECK(fails["details"] == "test_solution.py:20: in test_d_fails\n    solution.fail()\nsolution.py:21: in fail\nValueError: no such date");
    CHECK(adds["stdout"] == "adding 20 and 22\n");
  }
}

TEST_CASE("python, split: a solution that cannot be imported, or ends or hangs meanwhile, fails every case that the test file names") {
  const FileTexts tests = {{"test_it.py", "import unittest\nimport solution\nclass T(unittest.TestCase):\n    def test_a(self):\n        pass\n    def test_b(self):\n        pass\n"}};
  const auto status = [&](const std::string& text) { return StatusOf(EvaluatedSplit("python", {{"solution.py", text}}, tests), "test_b#test_it.T"); };
  CHECK(status("import nothing\n") == "error: while test_it.py was imported: ModuleNotFoundError: No module named 'nothing'");
  CHECK(status("import os\nos._exit(0)\n") == "error: while test_it.py was imported: the solution's process ended before its test did (exit status 0)");
  CHECK(status("while True: pass\n") == "timeout: while test_it.py was imported: cut off after 3 s");
}

TEST_CASE("python, split: the umask of who evaluates keeps neither from its files") {
  const mode_t before = ::umask(077);
  const json answer = EvaluatedSplit("python", {{"shop/__init__.py", "x = 1\n"}}, {{"test_it.py", "import shop\nimport own.two\ndef test_it():\n    assert shop.x + own.two.TWO == 3\n"}},
                            {{"own/two.py", "TWO = 2\n"}});
  ::umask(before);
  CHECK(Tally(answer) == "passed 1, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
}

TEST_CASE("params.split: true, false, and one sentence for what is neither") {
  const FileTexts one = {{"solution.py", "x = 1\n"}}, test = {{"test_it.py", "import solution\ndef test_it():\n    assert solution.x == 1\n"}};
  CHECK(Tally(EvaluatedSplit("python", one, test, {}, "yes")) == "failure: params.split: found \"yes\"; expected true or false");

  // An operator's own stack, which has no second process.
  const ScratchFolder folder;
  folder.Write("plain.yaml", "title: Plain\nversion: 1.0.0\nextensions: [py]\ncompile:\n  tools: [python3]\n  package: python3\n"
                             "  commands:\n    - [\"{python3}\", -c, pass]\ntests:\n  run: [\"{python3}\", -c, pass]\n");
  const char* const others = std::getenv("TALLY_STACKS");
  const ScopedVariable stacks("TALLY_STACKS", folder.path() + (others == nullptr ? "" : fmt::format(":{}", others)));
  CHECK(Tally(EvaluatedSplit("plain", one, test)) ==
        "failure: params.split: the stack plain has tests and solution in one process alone; two processes are there for C, C++, Python and Java");
}

TEST_CASE("python, split: coverage is what the solution's process has executed, and what it says otherwise is its own lines alone") {
  const std::string sign = "def sign(n):\n    if n < 0:\n        return -1\n    return 1\n";
  const std::string liar = R"(import gc
side = next(thing for thing in gc.get_objects() if type(thing).__name__ == "SolutionSide")
class Measuring:
    def executed(self):
        return {"/tmp/work/sol.py": [(1, 2), (1, 10**30), ("x", 1), (1,), 5], "/etc/passwd": [(1, 2)], "/tmp/work/../x": [(1, 2)], 5: [], "x": 5}
side._measuring = Measuring()

def sign(n):
    return 1
)";
  const std::string tests = "import unittest\nfrom sol import sign\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(sign(3), 1)\n";
  for (const std::string stack : {"python-pytest", "python-unittest"}) {
    const auto covered = [&](const std::string& solution) {
      return Evaluated({.stack = stack, .solution = {{"sol.py", solution}}, .tests = {{"test_sol.py", tests}}, .params = {{"split", "true"}}})["result"]["test"]["coverage"];
    };
    const json coverage = covered(sign), lies = covered(liar);
    REQUIRE(coverage.is_object());
    CHECK(coverage["lines"] == json{{"covered", 3}, {"total", 4}});
    CHECK(coverage["branches"] == json{{"covered", 1}, {"total", 2}});
    CHECK(coverage["files"][0]["missed_lines"] == json::array({3}));
    REQUIRE(lies.is_object());
    CHECK(lies["files"].size() == 1);
    CHECK(lies["files"][0]["path"] == "sol.py");
  }
}

}  // namespace
}  // namespace tally
