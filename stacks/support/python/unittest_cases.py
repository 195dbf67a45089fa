"""Collects and runs cases by unittest alone, in a child that was made for it."""
import importlib
import os
import sys
import time
import traceback
import unittest

ANY_TEST_CLASS = False
rewrite = None


def start(place, cases):
    """Calls `cases` when children may be made, with what they would import while they run."""
    for name in ("difflib", "pprint"):
        importlib.import_module(name)
    cases()


def is_test_file(path):
    return path.endswith(".py") and os.path.basename(path).startswith("test")


def collect(place, path):
    """{"cases": where each is, "error": None or a fault}"""
    try:
        cases = list(_cases(_load(place, path)))
    except (Exception, SystemExit) as error:
        return {"cases": [], "error": place.faults.of(error, _sentence(error))}
    return {"cases": [case.id() for case in cases], "error": None}


def run(place, path, where):
    """{"status", "fault", "seconds"}"""
    begin = time.perf_counter()
    status, fault = _run(place, path, where)
    return {"status": status, "fault": fault, "seconds": time.perf_counter() - begin}


def run_all(place, path, skip):
    """Without a verdict."""
    try:
        unittest.TestSuite(case for case in _cases(_load(place, path)) if case_id(case.id()) not in skip).run(_Result(place))
    except (Exception, SystemExit):  # while it is imported
        pass
    return {}


def _load(place, path):
    """By the name that it has from its topmost package on."""
    folder, name = os.path.split(path)
    names = [name[:-3]]
    while folder and place.files.full(os.path.join(folder, "__init__.py")) in place.files.codes:
        folder, name = os.path.split(folder)
        names.insert(0, name)
    sys.path.insert(0, os.path.join(place.root, folder))
    try:
        module = importlib.import_module(".".join(names))
    finally:
        place.finder.hide()
    return unittest.TestLoader().loadTestsFromModule(module)


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


def _run(place, path, where):
    found = [case for case in _cases(_load(place, path)) if case.id() == where]
    if len(found) != 1:
        return "error", ("the case is not there any more", [])
    result = _Result(place)
    unittest.TestSuite(found).run(result)  # a suite, for the set-up of class and module
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
