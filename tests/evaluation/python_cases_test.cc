// Python's stacks: the cases of a file run in one process, so what they find of each other, and when they have a new one.
#include <fmt/format.h>

#include <chrono>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/evaluated.h"

namespace tally {
namespace {

using nlohmann::json;

json Tested(const std::string& stack, const FileTexts& solution, const FileTexts& tests) {
  return Evaluated({.stack = stack, .solution = solution, .tests = tests, .params = {{"case_timeout", "2"}, {"coverage", "no"}}});
}

// `count` says how many have called it in this process; others leave something behind.
constexpr const char* kCounting = R"(import gc
import os
import signal
import sys
import threading

calls = []

def count():
    calls.append(None)
    return len(calls)

def leave_thread():
    threading.Thread(target=threading.Event().wait, daemon=True).start()

def leave_child():
    if os.fork() == 0:
        signal.pause()

def leave_timer():
    signal.setitimer(signal.ITIMER_VIRTUAL, 1000)

def leave_handler():
    signal.signal(signal.SIGUSR1, lambda *args: None)

def leave_collector():
    gc.callbacks.append(lambda *args: None)

def leave_finder():
    sys.meta_path.append(sys.meta_path[-1])

def leave_folder():
    os.chdir("/")

def leave_stdout():
    os.dup2(2, 1)

def leave_globals(function):
    function.__globals__["expected"] = 1
)";

TEST_CASE("python: the cases of a file have one process, as by hand, and a new one behind a case that left something") {
  std::string tests = "import counting\n\nexpected = 2\n";
  int cases = 0;
  const auto add = [&](const std::string& body) { tests += fmt::format("\ndef test_{:02}():\n{}\n", cases++, body); };
  add("    assert counting.count() == 1");
  add("    assert counting.count() == 2");
  for (const char* leave : {"thread()", "child()", "timer()", "handler()", "collector()", "finder()", "folder()", "stdout()", "globals(lambda: None)"}) {
    add(fmt::format("    counting.leave_{}\n    counting.count()", leave));
    add("    assert counting.count() == 1 and expected == 2");
    add("    assert counting.count() == expected");
  }
  const json answer = Tested("python", {{"counting.py", kCounting}}, {{"test_counting.py", tests}});
  CHECK(Tally(answer) == fmt::format("passed {}, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1", cases));
}

TEST_CASE("python-unittest: a module and a class are set up once and torn down behind their last case, whose fault a failing end is") {
  constexpr const char* kTests = R"(import unittest
import counting

done = []

def setUpModule():
    done.append("module")

def tearDownModule():
    raise ValueError("at the end of a module")

class TestFirst(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done.append("first")

    @classmethod
    def tearDownClass(cls):
        done.append("end")
        raise ValueError("at the end of a class")

    def test_1(self):
        self.assertEqual(done, ["module", "first"])
        done.append("1")
        self.assertEqual(counting.count(), 1)

    def test_2(self):
        done.append("2")
        self.assertEqual(counting.count(), 2)

class TestSecond(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done.append("second")

    def test_3(self):
        done.append("3")
        self.assertEqual(counting.count(), 1)  # the one before has failed

class TestThird(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise ValueError("no set-up")

    def test_4(self):
        pass

    def test_5(self):
        pass

class TestUnited(unittest.TestCase):
    def test_6(self):
        pass
)";
  const json answer = Tested("python-unittest", {{"counting.py", kCounting}}, {{"test_counting.py", kTests}});
  CHECK(StatusOf(answer, "test_1#test_counting.TestFirst") == "passed");
  CHECK(StatusOf(answer, "test_2#test_counting.TestFirst") == "error: ValueError: at the end of a class");
  CHECK(StatusOf(answer, "test_3#test_counting.TestSecond") == "passed");
  CHECK(StatusOf(answer, "test_6#test_counting.TestUnited") == "error: ValueError: at the end of a module");
  CHECK(StatusOf(answer, "test_4#test_counting.TestThird") == "error: ValueError: no set-up");
  CHECK(StatusOf(answer, "test_5#test_counting.TestThird") == "error: ValueError: no set-up");
}

TEST_CASE("python: what tests configure of pytest holds, and their cases have one process, too") {
  const FileTexts tests = {
      {"pytest.ini", "[pytest]\nfilterwarnings = error::DeprecationWarning\nxfail_strict = true\nlog_cli = true\nmarkers = slow: slow ones\n"},
      {"conftest.py", R"(import pytest

@pytest.fixture(scope="session")
def rows():
    return []

@pytest.fixture(autouse=True)
def row(rows):
    rows.append(None)

def pytest_collection_modifyitems(items):
    items.reverse()
)"},
      {"test_counting.py", R"(import os
import warnings
import pytest
from counting import count

done = []

def setup_module():
    done.append("set up")

def test_6(rows):
    assert len(rows) == 1

def test_5():
    warnings.warn("old", DeprecationWarning)

@pytest.mark.xfail
def test_4():
    pass

def test_3():
    raise KeyboardInterrupt

@pytest.mark.slow
def test_2(rows):
    assert count() == len(rows) == 2 and done == ["set up"]

def test_1(rows):
    assert count() == len(rows) == 1 and done == ["set up"]
)"}};
  const json answer = Tested("python", {{"counting.py", kCounting}}, tests);
  CHECK(Tally(answer) == "passed 3, failed 3: failures 2, errors 1, pending 0, timeouts 0; correctness 0.5");
  CHECK(StatusOf(answer, "test_2#test_counting") == "passed");
  CHECK(StatusOf(answer, "test_3#test_counting") == "error: the test framework was stopped before the test was over");
  CHECK(StatusOf(answer, "test_4#test_counting") == "failure: [XPASS(strict)] ");
  CHECK(StatusOf(answer, "test_5#test_counting") == "failure: DeprecationWarning: old");
}

TEST_CASE("python: tests that lie in the solution's package have its name, and keep their process when they import each other late") {
  constexpr const char* kTests = R"(import unittest
from board.counting import count
from board.test.helpers import Helper

class TestBoard(Helper, unittest.TestCase):
    def test_1(self):
        from board.test.helpers import Helper as again
        self.assertEqual(count(), 1)
        self.assertIs(again, Helper)

    def test_2(self):
        self.assertEqual(count(), 2)
)";
  const FileTexts tests = {{"board/test/__init__.py", ""}, {"board/test/helpers.py", "class Helper:\n    pass\n"}, {"board/test/test_board.py", kTests}};
  for (const char* stack : {"python", "python-unittest"}) {
    CAPTURE(stack);
    const json answer = Tested(stack, {{"board/__init__.py", ""}, {"board/counting.py", kCounting}}, tests);
    CHECK(Tally(answer) == "passed 2, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
    CHECK(StatusOf(answer, "test_2#board.test.test_board.TestBoard") == "passed");
  }
}

// A process looks at the libraries behind some cases alone; the verdicts before one that it did not come to are made anew.
TEST_CASE("python: cases before one that hangs, ends the process or changes a library keep their verdicts, and see none of it") {
  constexpr const char* kSolution = R"(import math
import os
import threading
import time

from counting import count

def crash():
    os.abort()

def hang():
    threading.Event().wait()

def take_long():
    time.sleep(0.4)

def change():
    math.isclose = lambda *args: True

def change_and_crash():
    change()
    os._exit(0)
)";
  std::string tests = "import math\nimport breaking\n";
  int cases = 0;
  const auto add = [&](const std::string& body) { tests += fmt::format("\ndef test_{:02}():\n{}\n", cases++, body); };
  const std::string ended[] = {"crash", "hang", "change", "change_and_crash", "take_long"};
  for (const std::string& end : ended) {
    add("    assert breaking.count() == 1");
    add("    assert breaking.count() == 2");
    add(fmt::format("    breaking.{}()", end));
    add("    assert not math.isclose(1, 2)");
  }
  add("    assert breaking.count() == 3");  // one process with the long one
  const json answer = Tested("python", {{"counting.py", kCounting}, {"breaking.py", kSolution}}, {{"test_breaking.py", tests}});
  CHECK(Tally(answer) == "passed 17, failed 4: failures 0, errors 3, pending 0, timeouts 1; correctness 0.81");
  CHECK(StatusOf(answer, "test_02#test_breaking") == "error: the process was ended before the test was over: SIGABRT");
  CHECK(StatusOf(answer, "test_06#test_breaking") == "timeout: cut off after 2 s");
  CHECK(StatusOf(answer, "test_10#test_breaking") == "error: the solution changed math.isclose");
  CHECK(StatusOf(answer, "test_14#test_breaking") == "error: the process ended before the test was over (exit status 0)");
}

// What would pass a case is seen in another one, or at the end.
TEST_CASE("python: a library that a case changes and a later one uses passes neither of them") {
  constexpr const char* kSolution = R"(import random

def change():
    random.randint = lambda low, high: low

def roll():
    return 1
)";
  constexpr const char* kTests = R"(import random
import unittest
import dice

class Test(unittest.TestCase):
    def test_1(self):
        dice.change()

    def test_2(self):
        self.assertTrue(all(dice.roll() == random.randint(1, 6) for _ in range(100)))

    def test_3(self):
        self.assertTrue(all(dice.roll() == random.randint(1, 6) for _ in range(100)))

    def test_4(self):
        pass
)";
  for (const char* stack : {"python", "python-unittest"}) {
    CAPTURE(stack);
    const json answer = Tested(stack, {{"dice.py", kSolution}}, {{"test_dice.py", kTests}});
    CHECK(Tally(answer) == "passed 1, failed 3: failures 2, errors 1, pending 0, timeouts 0; correctness 0.25");
  }
}

// The runner is started again by the evaluation; what its first start has judged by then is known, and nothing else.
TEST_CASE("python: a case that ends the runner itself costs itself alone, where coverage is measured, too") {
  constexpr const char* kSolution = R"(import threading

def quick():
    return 1

def many():
    threads = [threading.Thread(target=threading.Event().wait, args=(1,)) for _ in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
)";
  constexpr const char* kTests = "import sol\n\ndef test_0():\n    sol.quick()\n\ndef test_1():\n    sol.many()\n\ndef test_2():\n    sol.quick()\n\ndef test_3():\n    sol.quick()\n";
  const json answer = Evaluated({.stack = "python", .solution = {{"sol.py", kSolution}}, .tests = {{"test_sol.py", kTests}}});
  CHECK(Tally(answer) == "passed 3, failed 1: failures 0, errors 1, pending 0, timeouts 0; correctness 0.75");
  CHECK(StatusOf(answer, "test_1#test_sol").rfind("error: process limit exceeded", 0) == 0);
}

TEST_CASE("python: a case that takes all of the tests' time loses no verdict of those before it") {
  EvaluationSettings settings;
  settings.test_timeout = std::chrono::seconds(4);
  const json answer = Evaluated({.stack = "python", .solution = {{"sol.py", "import time\n\ndef nap():\n    time.sleep(60)\n"}},
                                 .tests = {{"test_sol.py", "import sol\n\ndef test_0():\n    pass\n\ndef test_1():\n    sol.nap()\n"}},
                                 .params = {{"case_timeout", "60"}, {"coverage", "no"}}}, settings);
  CHECK(Tally(answer) == "passed 1, failed 1: failures 0, errors 0, pending 0, timeouts 1; correctness 0.5");
}

TEST_CASE("python: a case that is seen to fail has no second try, whatever it has changed") {
  // The flags of a descriptor that each process was given, or a guess that is right in every second run.
  constexpr const char* kSolution = R"(import fcntl
import math
import os
import time

class Red(str):
    def __eq__(self, other):
        return False
    __hash__ = None

def zero():
    return 0

def color():
    flags = fcntl.fcntl(0, fcntl.F_GETFL)
    if flags & os.O_APPEND:
        return "green"
    fcntl.fcntl(0, fcntl.F_SETFL, flags | os.O_APPEND)
    return "red"

def changes():
    time.sleep(0.06)
    math.isclose = lambda *args: True
    return "red"
)";
  for (const char* call : {"color", "changes"}) {
    const std::string tests = fmt::format("import sol\n\ndef test_0():\n    assert sol.zero() == 0\n\ndef test_1():\n    assert sol.{0}() == 'green'\n\n"
                                          "def test_2():\n    assert sol.{0}() == 'green'\n", call);
    const json answer = Tested("python", {{"sol.py", kSolution}}, {{"test_sol.py", tests}});
    CAPTURE(call);
    CHECK(StatusOf(answer, "test_0#test_sol") == "passed");
    CHECK(StatusOf(answer, "test_1#test_sol").rfind(call == std::string("color") ? "failure: " : "error: the solution changed math.isclose", 0) == 0);
    CHECK(StatusOf(answer, "test_2#test_sol") != "passed");
  }
}

TEST_CASE("python: folders filled with files and exceptions with frames of their own cost nobody else's case") {
  constexpr const char* kSolution = R"(import os

def fill(folder):
    os.mkdir(folder + "/d")
    number = 0
    try:
        while True:
            open(f"{folder}/d/{number}", "w").close()
            number += 1
    except OSError:
        pass

def frames(*frames):
    error = ValueError("wrong")
    error._tally_frames = list(frames)
    raise error
)";
  constexpr const char* kTests = R"(import os
import sol

SECRET = 42

def test_0():
    if os.path.isdir("/box/counters"):
        sol.fill("/box/counters")

def test_1():
    sol.fill("/dev/shm")
    assert False

def test_2():
    sol.frames(("test_sol.py", 4, "t"))

def test_3():
    sol.frames(("a", "b", "c"))

def test_4():
    pass
)";
  const json answer = Evaluated({.stack = "python", .solution = {{"sol.py", kSolution}}, .tests = {{"test_sol.py", kTests}}});
  CHECK(Tally(answer) == "passed 2, failed 3: failures 3, errors 0, pending 0, timeouts 0; correctness 0.4");
  CHECK(answer.dump().find("SECRET") == std::string::npos);
  CHECK(answer["result"]["test"]["output"].get<std::string>().find("Cases: ") == 0);
  CHECK(answer["result"]["test"]["coverage"].is_object());
}

}  // namespace
}  // namespace tally
