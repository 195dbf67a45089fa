"""Where tests and solution meet: one folder with the files of both, made anew for each child."""
import gc
import importlib
import os
import re
import sys
import tempfile
import time
import types
import unittest.case

import children
import coverage_data
from expected_cases import decides_itself, expected
from faults import Faults, raised_by
from folders import remove_folder
from guard import Rules, quiet_signals, watch
from libraries import FOLDERS
from snapshot import Snapshot
from test_files import CONFIGURATIONS, Finder, TestFiles
from traces import Traces
from vault import hidden

_OURS = [name[:-3] for name in os.listdir(os.path.dirname(os.path.abspath(__file__))) if name.endswith(".py")]
# What is loaded once for all cases, where tests or solution name it.
_OFTEN_USED = ("abc", "array", "asyncio", "bisect", "calendar", "cmath", "collections", "concurrent.futures", "contextlib", "copy", "csv",
               "dataclasses", "datetime", "decimal", "doctest", "enum", "fractions", "functools", "hashlib", "heapq", "io", "itertools",
               "json", "logging", "math", "multiprocessing", "operator", "os", "pathlib", "pickle", "queue", "random", "re", "sqlite3",
               "statistics", "string", "subprocess", "tempfile", "textwrap", "threading", "time", "typing", "unittest.mock")
# Of a solution, these would be read by the test framework as if they were the tests'.
NOT_OF_SOLUTION = CONFIGURATIONS | {"conftest.py", "sitecustomize.py", "usercustomize.py"}
_WORD = re.compile(rb"[a-z0-9_]+(?:\.[a-z_]+)?")
# Behind a case that failed a solution could know what was expected, and pass the next one by that.
_GOES_ON = ("passed", "skipped")
_BETWEEN_LOOKS = 0.05  # seconds; a look takes one to three thousandths
# Of the sandbox.
_WRITABLE = [folder for folder in ("/tmp", "/dev/shm", coverage_data.FOLDER) if os.path.isdir(folder)]


def _contents(folder):
    files = {}
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            with open(path, "rb") as file:
                files[os.path.relpath(path, folder)] = file.read()
    return files


class Place:
    """`judges`: verdicts are made in it, for which libraries must be as they were."""

    def __init__(self, engine, tests, solution_folders, judges=True):
        self.root = "/tmp/work" if children.IN_SANDBOX else tempfile.mkdtemp()
        self.files = TestFiles(self.root, tests, engine.rewrite)
        self.given = {}
        for folder in solution_folders:
            for path, content in _contents(folder).items():
                if os.path.basename(path) not in NOT_OF_SOLUTION:
                    self.given[path] = content
        self.rules = Rules(self.files.codes)
        self.faults = Faults(self.root, self.rules.trusts)
        self._judges, self.rules.measures = judges, not judges
        self.looks_closely = self.skipped_by_solution = self.stopped = False
        self._any_test_class = engine.ANY_TEST_CLASS
        self._free = decides_itself(self.files.texts.values())
        self.configures_framework = any(os.path.basename(path) in CONFIGURATIONS | {"conftest.py"} for path in tests)
        words = set(_WORD.findall(b"\n".join([*tests.values(), *self.given.values()])))
        for name in _OFTEN_USED:
            if name.encode() in words:
                importlib.import_module(name)
        self._snapshot = self.finder = None

    def look(self):
        """Before a child is made: from here on all is as the solution will find it, and what libraries look like is known."""
        sys.argv = ["tests"]
        sys.path[:] = [self.root, *FOLDERS]
        self.finder = self.new_finder()
        self.finder.install()
        self._see_skips()
        self._see_stops()
        for name in _OURS:
            sys.modules.pop(name, None)
        sys.modules["__main__"] = types.ModuleType("__main__")
        self.know_libraries()
        gc.enable()
        gc.freeze()  # or each child would copy what its collections look at

    def new_finder(self):
        return Finder(self.files.codes, self.root, self.rules)

    def know_libraries(self):
        quiet_signals()
        if self._judges:
            self._snapshot = Snapshot()
        self.finder.keep = self._snapshot.keep if self._judges else lambda module, name: None

    # In the parent -----------------------------------------------------------------------------------------------

    def stop_judging(self, then):
        """From here on no verdict is made, and libraries may be as they like. What `then` loads it finds where the solution is not."""
        self.remove()
        os.mkdir(self.root)
        os.chdir(self.root)
        self._judges, self._snapshot, self.finder.keep = False, None, lambda module, name: None
        self.rules.measures = True
        sys.path[:] = FOLDERS
        sys.meta_path.remove(self.finder.entry)
        then()
        sys.path[:] = [self.root, *FOLDERS]
        self.finder.come_first()
        gc.freeze()

    def renew(self):
        self.remove()
        for path, content in self.given.items():
            full = os.path.join(self.root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "wb") as file:
                file.write(content)
        os.makedirs(self.root, exist_ok=True)
        self.files.place()

    def start_solution(self):
        """It has no process of its own (split_place.py)."""

    def stop_solution(self):
        pass

    def remove(self):
        """All that children have left."""
        for folder in [os.path.join(above, name) for above in _WRITABLE for name in os.listdir(above)] if children.IN_SANDBOX else [self.root]:
            if os.path.islink(folder) or not os.path.isdir(folder):
                os.unlink(folder)
            else:
                remove_folder(folder)

    def expected(self, path):
        """Ids of the cases that stand plainly in a test file."""
        tree = self.files.trees.get(path)
        if tree is None or self._free:
            return []
        module = path[:-3].replace("/", ".")
        return [f"{name}#{module}{'.' + classes if classes else ''}"
                for name, classes in expected(tree, self._any_test_class)]

    def line(self, path, number):
        """The text of a line, of a test or of the solution."""
        text = self.files.texts.get(path) or self.given.get(path, b"").decode("utf-8", "replace")
        lines = text.splitlines()
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""

    # In a child --------------------------------------------------------------------------------------------------

    def _see_skips(self):
        """unittest forgets who has raised SkipTest."""
        add_skip = getattr(unittest.case, "_addSkip", None)

        def seeing_skip(result, test_case, reason):
            error = sys.exc_info()[1]
            if error is not None and self.faults.is_of_solution(error):
                self.skipped_by_solution = True
            add_skip(result, test_case, reason)

        if add_skip is not None:
            unittest.case._addSkip = hidden(seeing_skip)

    def _see_stops(self, stop=getattr(unittest.case, "_ShouldStop", ())):
        """unittest ends a test by an exception of its own, and takes the test for passed when somebody else raises it."""
        outcome = unittest.case._Outcome
        executor = outcome.testPartExecutor

        def seeing_stop(*args):
            return _Seen(executor(*args), note)

        def note(error):
            self.stopped |= isinstance(error, stop) and not raised_by(error, unittest.case.__file__)

        hidden_one = hidden(seeing_stop)
        outcome.testPartExecutor = lambda *args, **more: hidden_one(*args, *more.values())

    def work(self, function, *args, clock=time.monotonic):
        """What a child does: gives the function's verdicts, and what it thinks of each. Whether libraries are as they were it looks at
        behind the first one, the last one and, if there is time or it looks closely, those between. A verdict in between is none yet."""
        snapshot, self._snapshot, self.finder.keep = self._snapshot, None, hidden(self.finder.keep, Finder.execute_library.__code__)
        os.chdir(self.root)
        self.files.texts.clear()
        self.files.trees.clear()
        changed = hidden(snapshot.changed) if snapshot is not None else None
        tests = tuple(code for code in self.files.codes.values() if type(code) is types.CodeType)
        watch(self.rules)
        left, next_look = None, 0
        for verdict in function(self, *args):
            left = left or hidden(Traces(self.finder.modules, tests).left)
            verdict["left"] = verdict.get("left") or verdict.get("status", "passed") not in _GOES_ON or left()
            verdict["looked"] = bool(self.looks_closely or verdict["left"] or clock() >= next_look)
            difference = verdict["looked"] and changed is not None and changed(self.finder.names, tests)
            verdict["objection"] = difference and f"the solution changed {difference}"
            next_look = clock() + _BETWEEN_LOOKS if verdict["looked"] else next_look
            yield verdict
            self.skipped_by_solution = self.stopped = False


class _Seen:
    """A context manager, and who is told of what is raised in it."""

    def __init__(self, context, note):
        self._context, self._note = context, note

    def __enter__(self):
        return self._context.__enter__()

    def __exit__(self, kind, error, trace):
        if error is not None:
            self._note(error)
        return self._context.__exit__(kind, error, trace)
