"""Where tests and solution meet: one folder with the files of both, made anew for each child."""
import importlib
import os
import shutil
import sys
import tempfile
import types
import unittest.case

import children
from expected_cases import decides_itself, expected
from faults import Faults
from guard import Rules, Snapshot, watch
from libraries import FOLDERS
from test_files import CONFIGURATIONS, Finder, TestFiles
from vault import hidden

_OURS = [name[:-3] for name in os.listdir(os.path.dirname(os.path.abspath(__file__))) if name.endswith(".py")]
# What tests like to use: loaded before the solution can change it unseen.
_USED_BY_TESTS = ("cmath", "collections", "datetime", "decimal", "fractions", "functools", "io", "itertools", "json", "math",
                  "operator", "os", "random", "re", "statistics", "string", "time", "unittest.mock")
# Of a solution, these would be read by the test framework as if they were the tests'.
_NOT_OF_SOLUTION = CONFIGURATIONS | {"conftest.py", "sitecustomize.py", "usercustomize.py"}


def _contents(folder):
    files = {}
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            with open(path, "rb") as file:
                files[os.path.relpath(path, folder)] = file.read()
    return files


class Place:
    def __init__(self, engine, tests, solution_folders):
        self.root = "/tmp/work" if children.IN_SANDBOX else tempfile.mkdtemp()
        self.files = TestFiles(self.root, tests, engine.rewrite)
        self._given = {}
        for folder in solution_folders:
            for path, content in _contents(folder).items():
                if os.path.basename(path) not in _NOT_OF_SOLUTION:
                    self._given[path] = content
        self.rules = Rules(self.files.codes)
        self.faults = Faults(self.root, self.rules.trusts)
        self.skipped_by_solution = False
        self._any_test_class = engine.ANY_TEST_CLASS
        self._free = decides_itself(self.files.texts.values())
        for name in _USED_BY_TESTS:
            importlib.import_module(name)
        self._snapshot = Snapshot([*_OURS, "__main__"])
        self.finder = Finder(self.files.codes, self.root, self.rules, self._snapshot.keep)

    # In the parent -----------------------------------------------------------------------------------------------

    def renew(self):
        self.remove()
        for path, content in self._given.items():
            full = os.path.join(self.root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "wb") as file:
                file.write(content)
        os.makedirs(self.root, exist_ok=True)
        self.files.place()

    def remove(self):
        """All that children have left."""
        for folder in [os.path.join("/tmp", name) for name in os.listdir("/tmp")] if children.IN_SANDBOX else [self.root]:
            if os.path.islink(folder) or not os.path.isdir(folder):
                os.unlink(folder)
                continue
            os.chmod(folder, 0o700)
            for base, names, _ in os.walk(folder):
                for name in names:
                    if not os.path.islink(os.path.join(base, name)):
                        os.chmod(os.path.join(base, name), 0o700)
            shutil.rmtree(folder)

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
        text = self.files.texts.get(path) or self._given.get(path, b"").decode("utf-8", "replace")
        lines = text.splitlines()
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""

    # In a child --------------------------------------------------------------------------------------------------

    def enter(self):
        os.chdir(self.root)
        sys.argv = ["tests"]
        sys.path[:] = [self.root, *FOLDERS]
        self.finder.install()
        self._see_skips()
        for name in _OURS:
            sys.modules.pop(name, None)
        sys.modules["__main__"] = types.ModuleType("__main__")
        self.files.texts.clear()
        self.files.trees.clear()

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

    def work(self, function, *args):
        """What a child does."""
        changed = self._snapshot.changed
        self.enter()
        self._snapshot.renew(unittest.case, "unittest.case")
        watch(self.rules)
        verdict = function(self, *args)
        verdict["changed"] = changed(self.finder.names)
        return verdict
