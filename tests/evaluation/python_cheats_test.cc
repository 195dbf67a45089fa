// What solutions in Python try instead of being right. The wall is that of processes (stacks/support/python/children.py);
// what an interpreter shared with the tests can hold is in guard.py.
#include <set>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/evaluated.h"

namespace tally {
namespace {

using nlohmann::json;

// Each function is called once, by a test of its own in a process of its own.
constexpr const char* kCheats = R"(import functools, importlib, inspect, gc, os, subprocess, sys

ended = (x for x in ())
next(ended, None)

EARLY = [m for n, m in sys.modules.items() if n.startswith("test_") or n == "__main__"]

def report_on_stdout():
    print('<testcase name="test_report_on_stdout" classname="test_cheats" time="0"/>', flush=True)
    os._exit(0)

def report_everywhere():
    for fd in range(1024):
        try:
            os.write(fd, b"{'status': 'passed', 'fault': None, 'seconds': 0.0, 'objection': ''}")
        except OSError:
            pass
    os._exit(0)

def report_as_runner():
    sys.audit("tally.verdict", b"{'status': 'passed', 'fault': None, 'seconds': 0.0, 'objection': ''}")
    os._exit(0)

def read_files():
    for folder in ("/box", "/tmp"):
        for base, _, names in os.walk(folder):
            for name in names:
                if name != "cheats.py" and "expected = 4" in open(os.path.join(base, name), errors="replace").read():
                    return 42

def read_open_files():
    for fd in range(3, 1024):
        try:
            os.lseek(fd, 0, 0)
            if b"expected" in os.read(fd, 100000):
                return 42
        except OSError:
            pass

def read_modules():
    for module in EARLY + list(sys.modules.values()):
        if hasattr(module, "ANSWER"):
            return module.ANSWER

def import_test():
    return importlib.import_module("test_cheats").ANSWER

def read_frame():
    return sys._getframe(1).f_locals["expected"]

def read_frame_by_inspect():
    return inspect.stack()[1].frame.f_locals["expected"]

def read_frame_by_traceback():
    try:
        raise KeyError
    except KeyError as error:
        return error.__traceback__.tb_frame.f_back.f_locals["expected"]

def read_frame_by_generator():
    frames = (frames_of.gi_frame.f_back.f_back for _ in [0])
    frames_of = frames
    return next(frames).f_locals["expected"]

def read_frame_by_trace():
    sys.settrace(lambda frame, event, argument: None)

def read_frame_by_disguise():
    exec(compile("import sys\ndef f(): return sys._getframe(2).f_locals['expected']", "/usr/lib/python3/x.py", "exec"), globals())
    return f()

def read_code(function=None):
    return 42 if function is None or 42 in function.__code__.co_consts else 0

def read_source(function=None):
    return 42 if "42" in inspect.getsource(function) else 0

def read_heap():
    for thing in gc.get_objects():
        if isinstance(thing, dict) and "ANSWER" in thing:
            return thing["ANSWER"]

def change_unittest():
    import unittest
    unittest.TestCase.assertEqual = lambda *arguments: None

def change_code():
    import unittest
    unittest.TestCase.assertEqual.__code__ = (lambda *arguments: None).__code__

def change_builtins():
    import builtins
    builtins.AssertionError = type("AssertionError", (Exception,), {})

def change_pytest():
    from _pytest.reports import TestReport
    TestReport.failed = property(lambda self: False)

def change_math():
    import math
    math.isclose = lambda *arguments, **more: True

def change_by_shadow():
    import unittest.case
    unittest.case.isinstance = lambda *arguments: False

def change_by_plugin():
    import _pytest.assertion.util, _pytest.debugging, pytest
    places = [pytest.mark, _pytest.assertion.util, _pytest.debugging.pytestPDB, *sys.meta_path]
    for place in places:
        for name in ("_config", "config", "_pluginmanager"):
            if hasattr(getattr(place, name, None), "register") or hasattr(getattr(place, name, None), "pluginmanager"):
                return 42

def read_finder():
    for finder in sys.meta_path:
        for name in ("_codes", "_modules", "_rules"):
            if hasattr(finder, name):
                return 42
    import unittest.case
    for cell in unittest.case._addSkip.__closure__ or ():
        if hasattr(cell.cell_contents, "files"):
            return 42

def strange_words():
    class Words(str):
        def __repr__(self):
            return "'', []), 'status': 'passed', 'fault': (''"
    class Strange(AssertionError):
        def __str__(self):
            return Words()
    raise Strange()

def skip():
    import unittest
    raise unittest.SkipTest("not today")

def skip_by_pytest():
    import pytest
    pytest.skip("not today")

def use_ctypes():
    return importlib.import_module("ctypes").CDLL(None).getpid()

def kill_parent():
    os.kill(os.getppid(), 9)

def kill_parent_by_program():
    subprocess.run(["/bin/sh", "-c", "kill -9 2"])

def leave_process():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            while True:
                pass
        os._exit(0)
    os.wait()

def change_files():
    right = "def __getattr__(name): return lambda *arguments: 42\n"
    for path in ("/box/solution/cheats.py", "/tmp/work/cheats.py", "/tally/python/junit.py", "/prepared/python/junit.py"):
        try:
            with open(path, "w") as file:
                file.write(right)
        except OSError:
            pass

def interrupt():
    import signal, time
    signal.signal(signal.SIGALRM, lambda *arguments: os._exit(0))
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(1)

def frame_of_signal():
    import signal, time
    frames = []
    signal.signal(signal.SIGALRM, lambda number, frame: frames.append(frame))
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    time.sleep(0.1)
    return found(frames[0])

def frame_of_signal_anew():
    import _signal, time
    del sys.modules["_signal"]
    fresh, frames = importlib.import_module("_signal"), []
    fresh.signal(fresh.SIGALRM, lambda number, frame: frames.append(frame))
    fresh.setitimer(fresh.ITIMER_REAL, 0.001)
    time.sleep(0.1)
    return found(frames[0])

def frame_of_builtin_signal():
    import _imp, importlib.machinery, time
    frames = []
    fresh = _imp.create_builtin(importlib.machinery.BuiltinImporter.find_spec("_signal"))
    _imp.exec_builtin(fresh)
    fresh.signal(14, lambda number, frame: frames.append(frame))
    fresh.setitimer(0, 0.001)
    time.sleep(0.1)
    return found(frames[0])

def found(frame):
    while frame is not None:
        if "expected" in frame.f_locals:
            return frame.f_locals["expected"]
        frame = frame.f_back

def frame_of_logging():
    import logging
    return found(logging.currentframe())

def frame_of_walk_tb():
    import traceback
    try:
        raise KeyError
    except KeyError as error:
        return found(next(traceback.walk_tb(error.__traceback__))[0])

def frame_of_attrgetter():
    import heapq, operator
    try:
        raise KeyError
    except KeyError as error:
        return found(heapq.nlargest(2, map(operator.attrgetter("tb_frame"), [error.__traceback__]), key=id)[0])

def frame_of_bdb():
    import bdb
    debugger = bdb.Bdb()
    try:
        debugger.set_trace()
    except PermissionError:
        pass
    return found(getattr(debugger, "botframe", None)) or found(debugger.curframe)

def frame_of_excinfo():
    import pytest
    with pytest.raises(KeyError) as info:
        raise KeyError
    return found(info.traceback[0].frame.raw)

def frame_of_thread():
    from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor(1) as pool:
        frames = pool.submit(sys._current_frames).result()
    for frame in frames.values():
        if found(frame):
            return found(frame)

def frame_of_coroutine():
    import operator
    async def nothing():
        return found(next(map(operator.attrgetter("cr_frame"), [running])).f_back)
    running = nothing()
    try:
        running.send(None)
    except StopIteration as stop:
        return stop.value

def monitor():
    sys.monitoring.use_tool_id(3, "x")
    sys.monitoring.register_callback(3, 1, lambda *arguments: None)

def verdict_by_event():
    sys.audit("tally.verdict", b"{'status': 'passed', 'fault': None, 'seconds': 0.0, 'objection': ''}")

def verdict_by_finalizer():
    import weakref
    class Thing: pass
    thing = Thing()
    weakref.finalize(thing, sys.audit, "tally.verdict", b"{'status': 'passed', 'fault': None, 'seconds': 0.0, 'objection': ''}")
    return thing

def verdict_by_fork():
    return 42 if os.fork() == 0 else 0

def stop_test():
    import unittest.case
    raise unittest.case._ShouldStop

def stop_test_without_frame():
    import unittest.case
    return functools.partial(ended.throw, unittest.case._ShouldStop)

def change_parametrize():
    import pytest
    pytest.mark.parametrize = lambda *arguments, **more: lambda function: lambda: None
    return 42

def change_mark():
    import pytest
    pytest.mark = None
    return 42

def change_tolerance():
    import _pytest.python_api
    _pytest.python_api.ApproxScalar.DEFAULT_ABSOLUTE_TOLERANCE = 1e9
    return 42

def change_tolerance_below():
    import _pytest.python_api
    _pytest.python_api.ApproxDecimal.strict = True
    _pytest.python_api.ApproxDecimal.DEFAULT_RELATIVE_TOLERANCE = 1e9
    return 42

def change_pi():
    import math
    math.pi = 3
    return 42

def change_randint():
    import random
    random.randint = lambda low, high: low
    return 42

def change_random_instance():
    import random
    random._inst.randint = lambda low, high: low
    return 42

def change_decoder():
    import json
    json._default_decoder = None
    return 42

def change_decoder_instance():
    import json
    json._default_decoder.decode = lambda text: 42
    return 42

def change_longMessage():
    import unittest
    unittest.TestCase.failureException = KeyError
    return 42

def change_modules():
    import unittest
    real, before = sys.modules, unittest.TestCase.assertEqual
    class Modules(dict):
        def items(self):
            unittest.TestCase.assertEqual, sys.modules = before, real
            return real.items()
    sys.modules = Modules(real)
    unittest.TestCase.assertEqual = lambda *args: None
    return 42

def change_class_of_module():
    import math, types
    class Other(types.ModuleType):
        @property
        def isclose(self):
            return lambda *args: True
    math.__class__ = Other
    return 42

def add_numpy():
    import types
    sys.modules["numpy"] = types.ModuleType("numpy")
    return 42

def change_audit_of_finder():
    for finder in sys.meta_path:
        for cell in getattr(getattr(finder, "find_spec", None), "__closure__", None) or ():
            if callable(cell.cell_contents):
                cell.cell_contents = print
                return 42
)";

const std::vector<std::string> kNames = {"report_on_stdout", "report_everywhere", "report_as_runner", "read_files", "read_open_files",
    "read_modules", "import_test", "read_frame", "read_frame_by_inspect", "read_frame_by_traceback", "read_frame_by_generator",
    "read_frame_by_trace", "read_frame_by_disguise", "read_code", "read_source", "read_heap", "change_unittest", "change_code",
    "change_builtins", "change_pytest", "change_math", "change_by_shadow", "change_by_plugin", "read_finder", "strange_words", "skip",
    "skip_by_pytest", "use_ctypes", "kill_parent", "kill_parent_by_program", "leave_process", "change_files", "interrupt", "frame_of_signal",
    "frame_of_signal_anew", "frame_of_builtin_signal", "frame_of_logging", "frame_of_walk_tb", "frame_of_attrgetter", "frame_of_bdb",
    "frame_of_excinfo", "frame_of_thread", "frame_of_coroutine", "monitor", "verdict_by_event", "verdict_by_finalizer", "verdict_by_fork",
    "stop_test", "stop_test_without_frame", "change_parametrize", "change_mark", "change_tolerance", "change_tolerance_below", "change_pi",
    "change_randint", "change_random_instance", "change_decoder", "change_decoder_instance", "change_longMessage", "change_audit_of_finder",
    "change_modules", "change_class_of_module", "add_numpy"};

// They change a library, and then give the right answer.
const std::set<std::string> kChangeAndAnswer = {"change_parametrize", "change_mark", "change_tolerance", "change_tolerance_below", "change_pi",
    "change_randint", "change_random_instance", "change_decoder", "change_decoder_instance", "change_longMessage",
    "change_modules", "change_class_of_module", "add_numpy"};

json Tested(const std::string& stack, const FileTexts& solution, const std::string& tests, const std::string& split = "false") {
  return Evaluated({.stack = stack,
                    .solution = solution,
                    .tests = {{"test_cheats.py", tests}},
                    .params = {{"case_timeout", split == "true" ? "10" : "2"}, {"coverage", "no"}, {"split", split}}});
}

std::string Test(const std::string& name) {
  const bool takes_function = name == "read_code" || name == "read_source";
  return "    def test_" + name + "(self):\n        expected = 42\n        self.assertEqual(cheats." + name + "(" +
         (takes_function ? "checked" : "") + ")" + (name == "stop_test_without_frame" ? "()" : "") + ", expected)\n";
}

std::string Tests() {
  std::string text = "import unittest\nimport cheats\nANSWER = 42\ndef checked(n):\n    return n == 42\n\nclass CheatsTest(unittest.TestCase):\n";
  for (const std::string& name : kNames) text += Test(name);
  return text;
}

TEST_CASE("python: no cheap cheat passes a case, and each costs its own case only") {
  for (const std::string stack : {"python-pytest", "python-unittest"}) {
    const std::string honest = "    def test_honest(self):\n        self.assertEqual(cheats.EARLY is None, False)\n";
    const json answer = Tested(stack, {{"cheats.py", kCheats}}, Tests() + honest);
    for (const std::string& name : kNames) {
      INFO(stack << " " << name);
      const std::string status = StatusOf(answer, "test_" + name + "#test_cheats.CheatsTest");
      CHECK((status.rfind("failure: ", 0) == 0 || status.rfind("error: ", 0) == 0));
    }
    const auto status = [&](const std::string& name) { return StatusOf(answer, "test_" + name + "#test_cheats.CheatsTest"); };
    CHECK(status("honest") == "passed");
    CHECK(status("report_everywhere") == "error: something that is not the test framework wrote a verdict");
    CHECK(status("report_as_runner") == "error: the process ended before the test was over (exit status 0)");
    CHECK(status("change_unittest") == "error: the solution changed unittest.case.TestCase.assertEqual");
    CHECK(status("change_builtins") == "error: the solution changed builtins.AssertionError");
    CHECK(status("change_math") == "error: the solution changed math.isclose");
    CHECK(status("change_by_shadow") == "error: the solution changed unittest.case.isinstance");
    CHECK(status("stop_test") == "error: the solution stopped the test");
    CHECK(status("stop_test_without_frame") == "error: the solution stopped the test");
    CHECK(status("change_parametrize").find(".parametrize") != std::string::npos);
    CHECK(status("change_pi") == "error: the solution changed math.pi");
    CHECK(status("change_randint") == "error: the solution changed random.randint");
    CHECK(status("change_random_instance") == "error: the solution changed random._inst.randint");
    CHECK(status("change_tolerance") == "error: the solution changed _pytest.python_api.ApproxScalar.DEFAULT_ABSOLUTE_TOLERANCE");
    CHECK(status("change_decoder") == "error: the solution changed json._default_decoder");
    CHECK(status("change_decoder_instance") == "error: the solution changed json._default_decoder.decode");
    CHECK(status("change_modules") == "error: the solution changed sys.modules");
    CHECK(status("change_class_of_module") == "error: the solution changed math");
    CHECK(status("add_numpy") == "error: the solution changed numpy");
    CHECK(status("frame_of_signal").rfind("failure: ", 0) == 0);
    CHECK(status("skip") == "error: the solution skipped the test");
    CHECK(status("read_frame") == "failure: PermissionError: not allowed to a solution: sys._getframe");
    CHECK(status("read_heap") == "failure: PermissionError: not allowed to a solution: gc.get_objects");
    CHECK(status("kill_parent_by_program").rfind("error: the program ended before its test did", 0) == 0);

  }
}

// Each pair is a solution, and tests of which those called "later" pass only by what an earlier one has done.
TEST_CASE("python: what a case has changed or learned helps no later case of its file") {
  constexpr const char* kTwice = R"(import unittest
import cheats

class CheatsTest(unittest.TestCase):
    class Inner:
        def check(self, a, b):
            assert a == b

    def test_first(self):
        cheats.first()

    def test_later(self):
        self.assertEqual(cheats.later(), 42)
        self.Inner().check(cheats.later(), 42)
)";
  constexpr const char* kLearned = R"(import unittest
import cheats

class CheatsTest(unittest.TestCase):
    def setUp(self):
        cheats.make()

    def test_first(self):
        self.assertEqual(cheats.later(), 42)

    def test_later(self):
        self.assertEqual(cheats.later(), 42)
)";
  const std::pair<const char*, const char*> cheats[] = {
      {R"(import sys
import unittest.case
def first():
    unittest.case.TestCase.assertEqual = lambda *args: None
    sys.audit("tally.keep", [], (unittest.case, "unittest.case"))  # as if it had just been loaded
def later():
    return 1
)", kTwice},
      {R"(import importlib
import unittest.case
def first():
    old = unittest.case.TestCase
    importlib.reload(unittest.case)
    old.assertEqual = lambda *args: None
def later():
    return 1
)", kTwice},
      {R"(import unittest
class Cheat(unittest.TestCase):
    def assertEqual(self, *args):
        pass
def first():
    for kind in unittest.TestCase.__subclasses__():
        if kind.__module__ == "test_cheats":
            kind.__bases__ = (Cheat,)
            kind.Inner.check = lambda *args: None
def later():
    return 1
)", kTwice},
      {R"(import re
import sys
learned = []
def make():
    found = re.search('!= ([0-9]+)', str(getattr(sys, "last_value", "")))
    learned.extend(map(int, found.groups()) if found else ())
def later():
    return learned[0] if learned else 0
)", kLearned},
      {R"(learned = []
class Learns(int):
    def __eq__(self, other):
        learned.append(other)
        return False
    __hash__ = None
def make():
    pass
def later():
    return learned[0] if learned else Learns()
)", kLearned}};
  for (const std::string stack : {"python-pytest", "python-unittest"}) {
    for (const auto& [solution, tests] : cheats) {
      INFO(stack << "\n" << solution);
      const std::string status = StatusOf(Tested(stack, {{"cheats.py", solution}}, tests), "test_later#test_cheats.CheatsTest");
      CHECK((status.rfind("failure: ", 0) == 0 || status.rfind("error: ", 0) == 0));
    }
  }
}

TEST_CASE("python: none of these cheats passes where tests and solution are two processes, and each costs its own case only") {
  for (const std::string stack : {"python-pytest", "python-unittest"}) {
    const std::string honest = "    def test_honest(self):\n        self.assertEqual(cheats.EARLY is None, False)\n";
    const json answer = Tested(stack, {{"cheats.py", kCheats}}, Tests() + honest, "true");
    CHECK(answer["result"]["test"]["isolation"] == "separate-processes");
    for (const std::string& name : kNames) {
      INFO(stack << " " << name);
      const std::string status = StatusOf(answer, "test_" + name + "#test_cheats.CheatsTest");
      // What these change is their own, and 42 is right.
      const bool is_right = kChangeAndAnswer.contains(name);
      CHECK((is_right ? status == "passed" : status.rfind("failure: ", 0) == 0 || status.rfind("error: ", 0) == 0));
    }
    CHECK(StatusOf(answer, "test_honest#test_cheats.CheatsTest") == "passed");
  }
}

TEST_CASE("python: a solution cannot make cases disappear while the tests are collected") {
  const std::string tests = "import cheats\nimport unittest\nclass CheatsTest(unittest.TestCase):\n"
                            "    def test_one(self):\n        self.assertEqual(cheats.f(), 1)\n"
                            "    def test_two(self):\n        self.assertEqual(cheats.f(), 2)\n";
  const std::string empty = "import sys, unittest\n"
                            "unittest.TestLoader.loadTestsFromModule = lambda *a, **k: unittest.TestSuite()\n"
                            "if '_pytest.python' in sys.modules: sys.modules['_pytest.python'].Module.collect = lambda self: []\n";
  for (const std::string& solution : {empty, std::string("import os\nos._exit(0)\n"), std::string("import sys\nsys.exit(0)\n")}) {
    for (const std::string stack : {"python-pytest", "python-unittest"}) {
      INFO(stack << " " << solution);
      CHECK(Tally(Tested(stack, {{"cheats.py", solution}}, tests)) ==
            "passed 0, failed 2: failures 0, errors 2, pending 0, timeouts 0; correctness 0");
    }
  }
}

TEST_CASE("python: who changes the framework while the tests are collected passes none of them, also not under another's name") {
  const std::string tests = "import unittest\nimport cheats\nclass CheatsTest(unittest.TestCase):\n"
                            "    def test_easy(self):\n        self.assertEqual(cheats.f(), 0)\n"
                            "    def test_hard(self):\n        self.assertEqual(cheats.f(), 42)\n";
  // In the first child alone, which collects: a case's name is read first for the report, then to find it again.
  const std::string rename = R"(import os, sys, unittest

def f():
    return 0

read = []

def easy(case):
    read.append(case)
    name = get(case)
    return name if read.count(case) == 1 else name.replace("test_hard", "test_easy")

if os.getpid() == os.getppid() + 1:
    if "_pytest.nodes" in sys.modules:
        kind = sys.modules["_pytest.nodes"].Node
        get = kind.nodeid.fget
        kind.nodeid = property(easy)
    else:
        kind = unittest.TestCase
        get = kind.id
        kind.id = easy
)";
  for (const std::string stack : {"python-pytest", "python-unittest"}) {
    INFO(stack);
    const json answer = Tested(stack, {{"cheats.py", rename}}, tests);
    CHECK(Tally(answer) == "passed 0, failed 2: failures 0, errors 2, pending 0, timeouts 0; correctness 0");
    CHECK(StatusOf(answer, "test_hard#test_cheats.CheatsTest").rfind("error: while test_cheats.py was imported: the solution changed ", 0) == 0);
  }
}

TEST_CASE("python: a solution cannot take a library's place, by a file's name or in sys.modules, whoever is first to ask") {
  // None of these libraries is loaded before the solution is.
  const std::string tests = "import cheats\nimport unittest\nimport filecmp\n"
                            "class CheatsTest(unittest.TestCase):\n"
                            "    def test_it(self):\n        self.assertTrue(filecmp.cmp(cheats.__file__, '/dev/null', shallow=False))\n";
  const std::string always = "def cmp(*a, **k):\n    return True\n";
  const std::vector<FileTexts> solutions = {
      {{"cheats.py", ""}, {"filecmp.py", always}},
      {{"cheats.py", "import filecmp\n"}, {"filecmp.py", always}},
      {{"cheats.py", "import sys\nsys.path.insert(0, '/tmp/work/own')\nimport filecmp\n"}, {"own/filecmp.py", always}},
      {{"cheats.py", "import sys, own\nsys.modules['filecmp'] = own\n"}, {"own.py", always}},
      {{"cheats.py", "import sys, filecmp, own\nown.__spec__ = filecmp.__spec__\nsys.modules['filecmp'] = own\n"}, {"own.py", always}},
      {{"cheats.py", "import importlib.util, sys\nspec = importlib.util.find_spec('filecmp')\n"
                     "spec.loader.path = '/tmp/work/own.py'\nsys.modules['filecmp'] = own = importlib.util.module_from_spec(spec)\n"
                     "spec.loader.exec_module(own)\n"}, {"own.py", always}},
      {{"cheats.py", "import filecmp\nfilecmp.cmp = lambda *a, **k: True\n"}},
      {{"cheats.py", "import math, sys, types\nfake = types.ModuleType('filecmp')\nfake.cmp = lambda *a, **k: True\n"
                     "class Finder:\n    find_spec = staticmethod(lambda *a: None)\n"
                     "sys.meta_path.insert(0, Finder)\nsys.modules['filecmp'] = fake\n"}}};
  for (const FileTexts& solution : solutions) {
    for (const std::string stack : {"python-pytest", "python-unittest"}) {
      INFO(stack << " " << solution[0].second);
      const json answer = Tested(stack, solution, tests);
      CHECK(answer["result"]["test"]["passed"] == 0);
      CHECK(answer["result"]["test"]["failed"] == 1);
    }
  }
}

TEST_CASE("python: what would configure the test framework is not taken from a solution") {
  const std::string tests = "import cheats\ndef test_one():\n    assert cheats.f() == 1\n";
  const json answer = Tested("python", {{"cheats.py", "def f(): return 0\n"},
                                        {"pytest.ini", "[pytest]\naddopts = --collect-only\n"},
                                        {"conftest.py", "def pytest_pyfunc_call(pyfuncitem):\n    return True\n"},
                                        {"sitecustomize.py", "import os; os._exit(0)\n"}}, tests);
  CHECK(Tally(answer) == "passed 0, failed 1: failures 1, errors 0, pending 0, timeouts 0; correctness 0");
}

}  // namespace
}  // namespace tally
