// The stacks of Python: a right, a wrong, a hanging, a crashing, a non-compiling and an output-flooding solution, with the
// exact answer, and what of pytest goes on working although no test file lies on disk. Cheats: python_cheats_test.cc.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "evaluation/evaluator.h"
#include "tests/support/catch.h"
#include "tests/support/evaluated.h"
#include "tests/support/scoped_variable.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

using nlohmann::json;

// A solution for every case: each function does what its name says.
constexpr const char* kSolution = R"(import os
import sys

def add(a, b):
    print("adding", a, "and", b)
    return a + b

def wrong(a, b):
    return a - b

def hang():
    while True:
        pass

def leave():
    os._exit(0)

def crash():
    os.abort()

def flood():
    while True:
        print("x" * 1000)

def fail():
    raise ValueError("no such date")
)";

constexpr const char* kUnittest = R"(import unittest
import solution

class SolutionTest(unittest.TestCase):
    def test_add(self):
        self.assertEqual(solution.add(20, 22), 42)

    def test_wrong(self):
        self.assertEqual(solution.wrong(20, 22), 42)

    def test_hang(self):
        solution.hang()

    def test_leave(self):
        solution.leave()

    def test_crash(self):
        solution.crash()

    def test_flood(self):
        solution.flood()

    def test_fail(self):
        solution.fail()

    @unittest.skip("later")
    def test_skipped(self):
        pass
)";

constexpr const char* kPytest = R"(import pytest
import solution

@pytest.mark.parametrize("a,b,sum", [(20, 22, 42), (1, 2, 3)])
def test_add(a, b, sum):
    assert solution.add(a, b) == sum

def test_wrong():
    assert solution.wrong(20, 22) == 42

def test_hang():
    solution.hang()

def test_leave():
    solution.leave()

def test_crash():
    solution.crash()

def test_flood():
    solution.flood()

def test_fail():
    solution.fail()

@pytest.mark.skip(reason="later")
def test_skipped():
    pass
)";

json Tested(const std::string& stack, const FileTexts& solution, const FileTexts& tests, const FileTexts& include = {}) {
  return Evaluated({.stack = stack,
                    .solution = solution,
                    .tests = tests,
                    .include = include,
                    .params = {{"case_timeout", "2"}, {"coverage", "no"}}});
}

void CheckAllKinds(const json& answer, const std::string& where) {
  CHECK(StatusOf(answer, "test_hang#" + where) == "timeout: cut off after 2 s");
  CHECK(StatusOf(answer, "test_leave#" + where) == "error: the process ended before the test was over (exit status 0)");
  CHECK(StatusOf(answer, "test_crash#" + where) == "error: the process was ended before the test was over: SIGABRT");
  CHECK(StatusOf(answer, "test_flood#" + where) == "error: output limit exceeded");
  CHECK(StatusOf(answer, "test_fail#" + where) == "failure: ValueError: no such date");
  CHECK(StatusOf(answer, "test_skipped#" + where) == "pending: later");
  CHECK(CaseOf(answer, "test_flood#" + where)["stdout"].get<std::string>().size() <= 70'000);
}

TEST_CASE("python: what a solution prints beyond what an answer shows is cut, and costs no case") {
  const FileTexts tests{{"test_twice.py", "import unittest\nimport solution\n\n\nclass TwiceTest(unittest.TestCase):\n    def test_twice(self):\n        self.assertEqual(solution.twice(2), 4)\n"}};
  for (const std::string stack : {"python-pytest", "python-unittest"}) {
    for (const std::string split : {"false", "true"}) {
      INFO(stack << " split " << split);
      CheckLongOutput(EvaluatedSplit(stack, {{"solution.py", "def twice(x):\n    print('ż' * 100_000)\n    return x + x\n"}}, tests, {}, split),
                      "test_twice#test_twice.TwiceTest");
    }
  }
}

TEST_CASE("python-pytest: each case has its verdict, whatever became of the one before") {
  const json answer = Tested("python", {{"solution.py", kSolution}}, {{"test_solution.py", kPytest}});
  CHECK(answer["result"]["compilation"]["compiling"] == true);
  CHECK(Tally(answer) == "passed 2, failed 7: failures 2, errors 3, pending 1, timeouts 1; correctness 0.222");
  CheckAllKinds(answer, "test_solution");
  CHECK(StatusOf(answer, "test_add[20-22-42]#test_solution") == "passed");
  CHECK(answer["result"]["test"]["isolation"] == "shared-process");
  CHECK(CaseOf(answer, "test_add[20-22-42]#test_solution")["stdout"] == "adding 20 and 22\n");
  CHECK(StatusOf(answer, "test_wrong#test_solution") == "failure: assert -2 == 42");
  CHECK(CaseOf(answer, "test_wrong#test_solution")["details"].get<std::string>().rfind(
            "test_solution.py:9: in test_wrong\n    assert solution.wrong(20, 22) == 42\nassert -2 == 42\n +  where -2 = ", 0) == 0);
}

TEST_CASE("prepared: a user without a folder for caches prepares for each evaluation, and it leaves nothing") {
  if (::geteuid() == 0) TALLY_SKIP("root has /var/cache");
  const ScratchFolder temporary;
  const ScopedVariable cache("TALLY_CACHE", ""), home("HOME", "/nonexistent"), user("XDG_CACHE_HOME", ""), folder("TMPDIR", temporary.path());
  const json answer = Tested("python", {{"solution.py", "x = 1\n"}}, {{"test_it.py", "import solution\ndef test_it():\n    assert solution.x == 1\n"}});
  CHECK(Tally(answer) == "passed 1, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
  CHECK(std::filesystem::is_empty(temporary.path()));
}

TEST_CASE("prepared: what is there already is used where nothing can be written, as in an image that brings it") {
  if (::geteuid() == 0) TALLY_SKIP("root may write to every folder");
  const ScratchFolder own;
  const ScopedVariable cache("TALLY_CACHE", ""), home("HOME", own.path()), user("XDG_CACHE_HOME", "");
  const std::string request = json{{"stack_ref", "python"},
                                   {"solution_files", {{{"path", "solution.py"}, {"content", "x = 1\n"}}}},
                                   {"test_files", {{{"path", "test_it.py"}, {"content", "import solution\ndef test_it():\n    assert solution.x == 1\n"}}}},
                                   {"capability", {{"test", true}}},
                                   {"params", {{"coverage", "no"}}}}.dump();
  const auto prepared = [&] {
    std::string notice;
    Evaluator evaluator(EvaluationSettings(), [&](std::string_view step) {
      if (step.starts_with("preparing")) notice = step;
    });
    CHECK(Tally(json::parse(evaluator.Evaluate(request))) == "passed 1, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
    return notice;
  };
  CHECK(prepared() == "preparing python-pytest, once on this machine");
  const std::filesystem::path stacks = own.path() + "/.cache/tally/stacks";
  std::filesystem::permissions(stacks, std::filesystem::perms(0555));
  CHECK(prepared().empty());
  std::filesystem::permissions(stacks, std::filesystem::perms(0755));
}

TEST_CASE("python-unittest: each case has its verdict, whatever became of the one before") {
  const json answer = Tested("python-unittest", {{"solution.py", kSolution}}, {{"test_solution.py", kUnittest}});
  CHECK(Tally(answer) == "passed 1, failed 7: failures 2, errors 3, pending 1, timeouts 1; correctness 0.125");
  CheckAllKinds(answer, "test_solution.SolutionTest");
  CHECK(StatusOf(answer, "test_add#test_solution.SolutionTest") == "passed");
  CHECK(StatusOf(answer, "test_wrong#test_solution.SolutionTest") == "failure: -2 != 42");
  CHECK(CaseOf(answer, "test_wrong#test_solution.SolutionTest")["details"] ==
        "test_solution.py:9: in test_wrong\n    self.assertEqual(solution.wrong(20, 22), 42)\n-2 != 42");
}

TEST_CASE("python: a class of unittest is run by pytest under the same names") {
  const json answer = Tested("pytest", {{"solution.py", kSolution}}, {{"test_solution.py", kUnittest}});
  CHECK(Tally(answer) == "passed 1, failed 7: failures 2, errors 3, pending 1, timeouts 1; correctness 0.125");
  CheckAllKinds(answer, "test_solution.SolutionTest");
}

TEST_CASE("python: a solution with a syntax error does not compile, and its tests are not run") {
  const json answer = Tested("python", {{"solution.py", "def add(a, b)\n    return a + b\n"}}, {{"test_solution.py", kPytest}});
  CHECK(answer["success"] == true);
  CHECK(answer["result"]["compilation"]["compiling"] == false);
  CHECK(answer["result"]["compilation"]["output"].get<std::string>().find("File \"solution.py\", line 1") != std::string::npos);
  CHECK(answer["result"]["compilation"]["output"].get<std::string>().find("SyntaxError: expected ':'") != std::string::npos);
  CHECK(answer["result"]["test"].is_null());
}

TEST_CASE("python: a solution that cannot be imported fails every case that the test file names") {
  for (const std::string stack : {"python-pytest", "python-unittest"}) {
    const json answer = Tested(stack, {{"other.py", ""}}, {{"test_solution.py", kUnittest}});
    CHECK(Tally(answer) == "passed 0, failed 8: failures 0, errors 8, pending 0, timeouts 0; correctness 0");
    CHECK(StatusOf(answer, "test_add#test_solution.SolutionTest") ==
          "error: while test_solution.py was imported: ModuleNotFoundError: No module named 'solution'");
  }
}

TEST_CASE("python: a solution that hangs while it is imported is a timeout of every case, and costs its time once") {
  const json answer = Tested("python", {{"solution.py", "while True: pass\n"}}, {{"test_solution.py", kUnittest}});
  CHECK(Tally(answer) == "passed 0, failed 8: failures 0, errors 0, pending 0, timeouts 8; correctness 0");
}

TEST_CASE("python: fixtures, conftest.py, packages of tests, helpers, captured output and given data work") {
  const FileTexts tests = {
      {"tests/__init__.py", ""},
      {"tests/conftest.py", "import pytest\nfrom .helpers import TWO\n\n@pytest.fixture(scope='session')\ndef two():\n    return TWO\n"},
      {"tests/helpers.py", "from dataclasses import dataclass\nTWO = 2\n@dataclass\nclass Pair:\n    a: int\n    b: int\n"},
      {"tests/test_more.py", R"(from __future__ import annotations
import dataclasses
from pathlib import Path

import pytest
from solution import add
from tests.helpers import Pair

@dataclasses.dataclass
class Own:
    a: int

class TestAll:
    @pytest.fixture(autouse=True)
    def prepare(self, tmp_path):
        self.file = tmp_path / "file"
        self.file.write_text("text")

    def test_fixture(self, two):
        assert add(two, two) == 4 and Pair(1, 2) == Pair(1, 2) and Own(1) == Own(1)

    def test_tmp_path(self):
        assert self.file.read_text() == "text"

    def test_capsys(self, capsys):
        add(1, 1)
        assert capsys.readouterr().out == "adding 1 and 1\n"

    def test_data(self):
        assert open("data.txt").read() == Path(__file__).parent.parent.joinpath("data.txt").read_text() == "given\n"

    def test_monkeypatch(self, monkeypatch):
        monkeypatch.setattr("builtins.print", lambda *args: None)
        assert add(1, 1) == 2

    def test_percent(self):
        assert "%d%%" % add(1, 1) == "3%"

    @pytest.mark.xfail
    def test_xfail(self):
        assert add(1, 1) == 3

    def test_late_import(self):
        from tests.helpers import TWO
        import tests.helpers
        assert tests.helpers.Pair is Pair and TWO == 2
)"}};
  const json answer = Tested("python", {{"solution.py", kSolution}}, tests, {{"data.txt", "given\n"}});
  CHECK(Tally(answer) == "passed 6, failed 2: failures 1, errors 0, pending 1, timeouts 0; correctness 0.75");
  CHECK(StatusOf(answer, "test_percent#tests.test_more.TestAll") == "failure: AssertionError: assert '2%' == '3%'");
  CHECK(StatusOf(answer, "test_xfail#tests.test_more.TestAll") == "pending: expected to fail");
}

TEST_CASE("python: packages of a solution, libraries that are loaded late, and files called as those of the runner work") {
  const FileTexts solution = {
      {"shop/__init__.py", "from .calendar import days\nfrom shop import queue\n"},
      {"shop/calendar.py", "import filecmp\nimport calendar\ndays = calendar.monthrange(2024, 2)[1] + filecmp.BUFSIZE * 0\n"},
      {"shop/queue/__init__.py", "from . import heapq\n"},
      {"shop/queue/heapq.py", "import xml.dom.minidom, sqlite3, wave, audioop\nfirst = sqlite3.connect(':memory:').execute('select 1').fetchone()[0]\n"},
      {"place.py", "import guard\nNAME = guard.NAME\n"},
      {"guard.py", "NAME = 'guard'\n"}};
  const std::string tests = R"(import inspect
import unittest
import place
import shop
import shop.queue.heapq as own
from test.helpers import TWO

class ShopTest(unittest.TestCase):
    def test_it(self):
        import filecmp
        import mailbox
        self.assertEqual((shop.days, shop.queue.heapq.first, place.NAME, TWO), (29, 1, "guard", 2))
        self.assertTrue(filecmp.cmp(__file__, __file__) and own is shop.queue.heapq and mailbox.Maildir)
        self.assertIn("def cmp", inspect.getsource(filecmp))
)";
  for (const std::string stack : {"python-pytest", "python-unittest"}) {
    INFO(stack);
    const json answer = Tested(stack, solution, {{"test_shop.py", tests}, {"test/__init__.py", ""}, {"test/helpers.py", "TWO = 2\n"}});
    CHECK(StatusOf(answer, "test_it#test_shop.ShopTest") == "passed");
  }
}

TEST_CASE("python: an exception with a text of three million letters is a failure with a text that is cut") {
  const json answer = Tested("python-unittest", {{"solution.py", "def f():\n    raise ValueError('y' * 3_000_000)\n"}},
                             {{"test_it.py", "import unittest\nimport solution\nclass T(unittest.TestCase):\n    def test_it(self):\n        solution.f()\n"}});
  const json test = CaseOf(answer, "test_it#test_it.T");
  CHECK(test["status"] == "failure");
  CHECK(test["message"].get<std::string>().size() <= 65'600);
  CHECK(test["details"].get<std::string>().size() <= 65'600);
}

TEST_CASE("python: a variant of a test that a solution gives a long name is still there") {
  const json answer = Tested("python", {{"solution.py", "def f():\n    return 'y' * 2000\n"}},
                             {{"test_it.py", "import pytest\nimport solution\n@pytest.mark.parametrize('v', [solution.f(), 'a'])\n"
                                             "def test_it(v):\n    assert v == 'a'\n"}});
  CHECK(Tally(answer) == "passed 1, failed 1: failures 1, errors 0, pending 0, timeouts 0; correctness 0.5");
}

TEST_CASE("python: doctest, processes, shared memory and handlers of signals are a solution's, as in any program") {
  const std::string solution = R"(import asyncio
import os
import signal
from multiprocessing import Pool

def square(n):
    """
    >>> square(3)
    9
    """
    return n * n

def squares(numbers):
    with Pool(2) as pool:
        return pool.map(square, numbers)

def in_thread(n):
    return asyncio.run(asyncio.to_thread(square, n))

def forked():
    os.fork()
    return 1

def nested():
    for _ in range(3000):
        os.mkdir("d")
        os.chdir("d")
    return 1

def alarmed():
    seen = []
    def handler(number, frame):
        seen.append(number)
    before = signal.signal(signal.SIGALRM, handler)
    assert signal.getsignal(signal.SIGALRM) is handler and before == signal.SIG_DFL
    signal.raise_signal(signal.SIGALRM)
    assert signal.signal(signal.SIGALRM, signal.SIG_IGN) is handler
    return seen
)";
  const std::string tests = R"(import doctest
import io
import signal
import unittest
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import shared_memory

import solution

unittest.TestCase.maxDiff = None

class T(unittest.TestCase):
    def test_doctest(self):
        self.assertEqual(tuple(doctest.testmod(solution)), (0, 1))

    def test_doctest_suite(self):
        self.assertTrue(unittest.TextTestRunner(stream=io.StringIO()).run(doctest.DocTestSuite(solution)).wasSuccessful())

    def test_pool(self):
        self.assertEqual(solution.squares([1, 2, 3]), [1, 4, 9])
        with ProcessPoolExecutor(2) as pool:
            self.assertEqual(list(pool.map(solution.square, [1, 2])), [1, 4])
        memory = shared_memory.SharedMemory(create=True, size=100)
        memory.close()
        memory.unlink()

    def test_forked(self):
        self.assertEqual(solution.forked(), 1)

    def test_forked_and_wrong(self):
        self.assertEqual(solution.forked(), 2)

    def test_nested(self):
        self.assertEqual(solution.nested(), 1)

    def test_nested_again(self):
        self.assertEqual(solution.nested(), 1)

    def test_alarmed(self):
        self.assertEqual(solution.alarmed(), [signal.SIGALRM])

    def test_woken_by_threads(self):
        self.assertEqual(solution.in_thread(5), 25)

    def test_subtests(self):
        for n in range(3):
            with self.subTest(n=n):
                self.assertEqual(solution.square(n), n * n)

    @unittest.expectedFailure
    def test_expected_failure(self):
        with self.subTest():
            self.fail()
)";
  for (const std::string stack : {"python-pytest", "python-unittest"}) {
    const json answer = Tested(stack, {{"solution.py", solution}}, {{"test_it.py", tests}});
    INFO(stack << " " << answer.dump());
    CHECK(Tally(answer) == "passed 9, failed 2: failures 1, errors 0, pending 1, timeouts 0; correctness 0.818");
    CHECK(StatusOf(answer, "test_forked_and_wrong#test_it.T").rfind("failure: ", 0) == 0);
  }
}

TEST_CASE("python: coverage counts the lines and branches of the solution that the tests execute") {
  const std::string solution = "def sign(n):\n    if n < 0:\n        return -1\n    return 1\n";
  for (const std::string stack : {"python-pytest", "python-unittest"}) {
    const json answer = Evaluated({.stack = stack,
                                   .solution = {{"de/sign.py", solution}, {"de/__init__.py", ""}},
                                   .tests = {{"test_sign.py",
                                              "import unittest\nfrom de.sign import sign\nclass T(unittest.TestCase):\n"
                                              "    def test_it(self):\n        self.assertEqual(sign(3), 1)\n"}}});
    CHECK(Tally(answer) == "passed 1, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
    const json& coverage = answer["result"]["test"]["coverage"];
    REQUIRE(coverage.is_object());
    CHECK(coverage["lines"] == json{{"covered", 3}, {"total", 4}});
    CHECK(coverage["branches"] == json{{"covered", 1}, {"total", 2}});
    CHECK(answer["result"]["test"]["output"].get<std::string>().find("Cases: ") == 0);
    for (const json& file : coverage["files"]) {
      if (file["path"] == "de/sign.py") CHECK(file["missed_lines"] == json::array({3}));
    }
  }
}

TEST_CASE("python: coverage knows the cases that end well also where one ends the process, and of one that hung nothing") {
  const std::string solution = "import os\n\ndef first():\n    return 1\n\ndef crash():\n    os.abort()\n\ndef hang():\n    while True:\n        pass\n\n"
                               "def last():\n    return 3\n";
  const std::string cases[] = {"first() == 1", "crash()", "hang()", "last() == 3"};
  std::string pytest = "import sol\n", unittest = "import sol, unittest\nclass T(unittest.TestCase):\n";
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    pytest += fmt::format("\ndef test_{}():\n    assert sol.{}\n", i, cases[i]);
    unittest += fmt::format("    def test_{}(self):\n        assert sol.{}\n", i, cases[i]);
  }
  for (const auto& [stack, tests] : {std::pair("python", pytest), std::pair("python-unittest", unittest)}) {
    CAPTURE(stack);
    const json answer = Evaluated({.stack = stack, .solution = {{"sol.py", solution}}, .tests = {{"test_sol.py", tests}}, .params = {{"case_timeout", "2"}}});
    CHECK(Tally(answer) == "passed 2, failed 2: failures 0, errors 1, pending 0, timeouts 1; correctness 0.5");
    const json& coverage = answer["result"]["test"]["coverage"];
    REQUIRE(coverage.is_object());
    CHECK(coverage["files"][0]["missed_lines"] == json::array({7, 10, 11}));
  }
}

TEST_CASE("python: what a solution writes beside the coverage's data is no part of it, and hurts nobody") {
  const std::string solution = R"(import os
import sqlite3

def f():
    for name in (".coverage", ".coverage.mine"):
        with open("/box/counters/" + name, "w") as file:
            file.write("no data base")
    os.makedirs("/box/counters/folder/folder")
    return 1

def never():
    return 2
)";
  const json answer = Evaluated({.stack = "python", .solution = {{"sol.py", solution}},
                                 .tests = {{"test_sol.py", "import os\nimport sol\ndef test_it():\n    assert not os.path.exists('/box/counters') or sol.f() == 1\n"}}});
  const json& coverage = answer["result"]["test"]["coverage"];
  REQUIRE(coverage.is_object());
  CHECK(coverage["files"][0]["missed_lines"] == json::array({12}));
}

TEST_CASE("python: coverage knows what threads execute, and takes no arc that is none") {
  constexpr const char* kSolution = R"(import threading

def work(found):
    found.append(1)

def in_thread():
    found = []
    thread = threading.Thread(target=work, args=(found,))
    thread.start()
    thread.join()
    return found

def forge():
    import coverage
    collector = coverage.Coverage.current()._collector if coverage.Coverage.current() else None
    if collector:
        collector.flush_data = lambda: collector.covdata.add_arcs({__file__: [(1, 10 ** 30), ("a", "b"), (1, 2, 3)], "/etc/passwd": [(1, 2)]})
)";
  const std::string tests = "import sol\n\ndef test_it():\n    assert sol.in_thread() == [1]\n";
  const json answer = Evaluated({.stack = "python", .solution = {{"sol.py", kSolution}}, .tests = {{"test_sol.py", tests}}});
  REQUIRE(answer["result"]["test"]["coverage"].is_object());
  CHECK(answer["result"]["test"]["coverage"]["files"][0]["missed_lines"] == json::array({14, 15, 16, 17}));
  const json forged = Evaluated({.stack = "python", .solution = {{"sol.py", kSolution}}, .tests = {{"test_sol.py", tests + "\ndef test_2():\n    sol.forge()\n"}}});
  CHECK(Tally(forged) == "passed 2, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
  CHECK(forged["result"]["test"]["output"].get<std::string>().find("Cases: ") == 0);
}

TEST_CASE("python: coverage that takes too long costs no verdict, and has a time of its own where the tests' is over") {
  const FileTexts solution = {{"sol.py", "import time\n\ndef sleep(seconds):\n    time.sleep(seconds)\n    return 1\n"}};
  const auto answer = [&](double seconds, const EvaluationSettings& settings) {
    const std::string tests = fmt::format("import sol\n\ndef test_it():\n    assert sol.sleep({})\n", seconds);
    json whole = Evaluated({.stack = "python", .solution = solution, .tests = {{"test_sol.py", tests}}}, settings);
    CHECK(Tally(whole) == "passed 1, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
    return whole["result"]["test"];
  };
  EvaluationSettings little_for_coverage;
  little_for_coverage.codecov_timeout = std::chrono::milliseconds(200);
  const json unmeasured = answer(0.4, little_for_coverage);
  CHECK(unmeasured["coverage"] == nullptr);
  CHECK(unmeasured["coverage_reason"] == "coverage.py: it took longer than 0.2 s");
  EvaluationSettings little_for_tests;
  little_for_tests.test_timeout = std::chrono::milliseconds(4500);
  const json measured = answer(2.5, little_for_tests);
  REQUIRE(measured["coverage"].is_object());
  CHECK(measured["coverage"]["lines"] == json{{"covered", 4}, {"total", 4}});
}

// The parent loads coverage.py when it has run them all.
TEST_CASE("python: a solution that is called as what coverage.py loads is not asked, and learns nothing through the counters' folder") {
  const std::string kill = "import os\nos.kill(os.getppid(), 9)\n";
  FileTexts solution = {{"sol.py", R"(import os

def learn():
    if not os.path.exists("/box/counters/learned"):
        with open("/box/counters/learned", "w") as file:
            file.write("3")
        return 2
    return 3
)"}};
  for (const char* name : {"coverage.py", "tomli.py", "contracts.py", "greenlet.py", "usercustomize.py", "_sqlite3.py", "defusedxml/__init__.py"}) {
    solution.emplace_back(name, kill);
  }
  const json answer = Evaluated({.stack = "python", .solution = solution,
                                 .tests = {{"test_sol.py", "import sol\n\ndef test_1():\n    assert sol.learn() == 3\n\ndef test_2():\n    assert sol.learn() == 3\n"}}});
  CHECK(Tally(answer) == "passed 0, failed 2: failures 2, errors 0, pending 0, timeouts 0; correctness 0");
  CHECK(answer["result"]["test"]["output"].get<std::string>().find("Cases: ") == 0);
  REQUIRE(answer["result"]["test"]["coverage"].is_object());
}

TEST_CASE("python: a solution cannot leave lines out of its coverage, nor silence the style") {
  const std::string solution =
      "def f(a):\n    if a:  # pragma: no cover\n        return 1\n    return 2\n\n\n"
      "def g():  # pragma: no cover\n    return 1\n\n\n"
      "def h(a):\n    if a:  # pragma: no branch\n        return 1\n    return 2\n";
  const std::string tests = "import unittest\nimport sol\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(sol.f(0) + sol.h(0), 4)\n";
  for (const std::string stack : {"python-pytest", "python-unittest"}) {
    const json answer = Evaluated({.stack = stack, .solution = {{"sol.py", solution}}, .tests = {{"test_sol.py", tests}}});
    const json& coverage = answer["result"]["test"]["coverage"];
    REQUIRE(coverage.is_object());
    CHECK(coverage["lines"] == json{{"covered", 7}, {"total", 10}});
    CHECK(coverage["branches"] == json{{"covered", 2}, {"total", 4}});
    CHECK(coverage["files"][0]["missed_lines"] == json::array({3, 8, 13}));
    const json style = Evaluated({.stack = stack, .solution = {{"a.py", "# flake8: noqa\nimport os\nimport sys  # noqa\n"}}, .test = false, .style = true})["result"]["style"];
    CHECK(style["errors"] == 2);
  }
}

TEST_CASE("python: flake8 says what it finds, by file, line and rule") {
  const json answer = Evaluated({.stack = "python", .solution = {{"de/a.py", "import os\n\n\ndef f( a):\n    return a\n"}}, .test = false, .style = true});
  const json& style = answer["result"]["style"];
  REQUIRE(style["errors"] == 2);
  CHECK(style["report"]["tool"] == "flake8");
  CHECK(style["report"]["errors"][0]["file"] == "de/a.py");
  CHECK(style["report"]["errors"][0]["rule"] == "F401");
  CHECK(style["report"]["errors"][1]["line"] == 4);
}

}  // namespace
}  // namespace tally
