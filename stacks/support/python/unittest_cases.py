"""Collects and runs cases by unittest alone, in a child that was made for it."""
import contextlib
import functools
import importlib
import os
import sys
import time
import traceback
import types
import unittest

from vault import hidden

ANY_TEST_CLASS = False
rewrite = None


def start(place, cases):
    """Calls `cases` when children may be made, with what they would import while they run."""
    for name in ("difflib", "pprint"):
        importlib.import_module(name)
    cases()


def is_test_file(path):
    return path.endswith(".py") and os.path.basename(path).startswith("test")


def cases(place, path, only, skip):
    """Gives {"cases": where each is, "error": None or a fault}, and then, of those that are among `only` (or all) and not in `skip`,
    {"where", "status", "fault", "seconds", "left": whether unittest cannot go on} of one after the other."""
    found, error = [], None
    try:
        found = list(_cases(_load(place, path)))
    except (Exception, SystemExit) as raised:
        error = place.faults.of(raised, _sentence(raised))
    yield {"cases": [case.id() for case in found], "error": error}
    chosen = [case for case in found if (only is None or case_id(case.id()) in only) and case_id(case.id()) not in skip]
    fixtures = _Fixtures(place)
    for case, following in zip(chosen, [*chosen[1:], None]):
        begin = time.perf_counter()
        result = _Result(place)
        fixtures.run(case, following, result)
        status, fault = _judge(place, result)
        yield {"where": case.id(), "status": status, "fault": fault, "seconds": time.perf_counter() - begin,
               "left": following is None or result.shouldStop or fixtures.failed}


def _load(place, path):
    """By the name that it has from its topmost package on."""
    folder, name = os.path.split(path)
    names = [name[:-3]]
    while folder and _is_package(place, os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        names.insert(0, name)
    sys.path.insert(0, os.path.join(place.root, folder))
    try:
        module = importlib.import_module(".".join(names))
    finally:
        place.finder.hide()
    return unittest.TestLoader().loadTestsFromModule(module)


def _is_package(place, path):
    """Of the tests, or of the solution that they lie in."""
    return place.files.full(path) in place.files.codes or path in place.given


def _cases(suite):
    for part in suite:
        if isinstance(part, unittest.TestSuite):
            yield from _cases(part)
        else:
            yield part


def case_id(where):
    module_and_class, _, name = where.rpartition(".")
    return f"{name}#{module_and_class}"


def _sentence(error):
    return "".join(traceback.format_exception_only(type(error), error)).strip()


class _Fixtures:
    """Of classes and modules. Which are set up a suite keeps in its result, of which each case has its own here."""

    def __init__(self, place):
        stand_ins = {module.__name__: _fixtures_of(module) for module in place.finder.modules}
        self._suite, self._previous, self.failed = functools.partial(_Suite, stand_ins), None, False

    def run(self, case, following, result):
        """Tears down what `following` does not need any more."""
        suite, kind, next_kind = self._suite([case]), case.__class__, following.__class__
        result._testRunEntered = True  # so that the suite tears nothing down behind its last case
        result._previousTestClass, result._moduleSetUpFailed = self._previous, False
        suite.run(result)
        self._previous = kind
        if next_kind is not kind:
            suite._tearDownPreviousClass(None, result)
            self._previous = _torn_down(kind)
        if following is None or next_kind.__module__ != kind.__module__:
            suite._handleModuleTearDown(result)
            self._previous = None
        self.failed = result._moduleSetUpFailed or getattr(kind, "_classSetupFailed", False)


class _Suite(unittest.TestSuite):
    """Where unittest looks for setUpModule and tearDownModule stands what has these alone: the tests' modules are hidden (test_files.py)."""

    def __init__(self, stand_ins, tests):
        super().__init__(tests)
        self._stand_ins = stand_ins

    def _handleModuleFixture(self, test, result):
        with self._modules():
            super()._handleModuleFixture(test, result)

    def _handleModuleTearDown(self, result):
        with self._modules():
            super()._handleModuleTearDown(result)

    @contextlib.contextmanager
    def _modules(self):
        """One of the two calls the other, in the middle of its own."""
        added = {name: stand_in for name, stand_in in self._stand_ins.items() if name not in sys.modules}
        sys.modules.update(added)
        try:
            yield
        finally:
            for name, stand_in in added.items():
                if sys.modules.get(name) is stand_in:
                    del sys.modules[name]


def _fixtures_of(module):
    return types.SimpleNamespace(**{name: _hidden_fixture(vars(module)[name], f"{module.__name__}.{name}")
                                    for name in ("setUpModule", "tearDownModule") if name in vars(module)})


def _hidden_fixture(function, name):
    def fixture():
        function()

    fixture.__name__ = name
    return hidden(fixture)


def _torn_down(kind):
    """In the place of a class that is: of its module, and not to be torn down again."""
    return type("TornDown", (), {"__module__": kind.__module__, "__unittest_skip__": True})


def _judge(place, result):
    if place.skipped_by_solution:
        return "error", ("the solution skipped the test", [])
    if place.stopped:
        return "error", ("the solution stopped the test", [])
    if result.fault is not None:
        return result.fault
    if result.testsRun != 1 or not result.succeeded:
        return "error", ("the test framework was stopped before the test was over", [])
    return "passed", None


class _Result(unittest.TestResult):
    def __init__(self, place):
        super().__init__()
        self._place, self.fault, self.succeeded = place, None, False

    def _note(self, status, error):
        if self.fault is None or self.fault[0] == "skipped":
            message = str(error) if isinstance(error, AssertionError) else _sentence(error)
            self.fault = status, self._place.faults.of(error, message)

    def addError(self, test, err):
        super().addError(test, err)
        # What is not a test is the set-up of a class or module.
        self._note("failure" if isinstance(test, unittest.TestCase) else "error", err[1])

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._note("failure", err[1])

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._note("failure", err[1])

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.fault = self.fault or ("skipped", (reason, []))

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.fault = self.fault or ("skipped", ("expected to fail", []))

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.fault = self.fault or ("failure", ("expected to fail, and passed", []))

    def addSuccess(self, test):
        super().addSuccess(test)
        self.succeeded = True
